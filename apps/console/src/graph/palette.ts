/** Twelve colours of labels, told apart on light and dark ground; captions on them are dark or white by contrast. */
export const PALETTE: readonly string[] = [
  "#4f8ff0",
  "#f2a541",
  "#2fae8f",
  "#e8697d",
  "#9a7be8",
  "#5bc0de",
  "#c9a227",
  "#e07fbb",
  "#7fb84d",
  "#d9774a",
  "#6f86a8",
  "#b58a6b",
];

/** Whichever of dark and white is read more easily on `color` (`#rrggbb`). @source WCAG 2.2, contrast ratio */
export function inkOn(color: string): "#ffffff" | "#10211a" {
  const luminance = luminanceOf(color);
  const withWhite = 1.05 / (luminance + 0.05);
  const withDark = (luminance + 0.05) / (luminanceOf("#10211a") + 0.05);
  return withWhite > withDark ? "#ffffff" : "#10211a";
}

function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}
