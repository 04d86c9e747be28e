import { encode } from "uqr";
import { type Html, html } from "../sign-in/page.ts";

/** Dark on light in both colour schemes, with the margin that cameras need; a picture without a request. */
export function qrCode(text: string, title: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return html`<svg
    role="img"
    aria-label="${title}"
    viewBox="0 0 ${String(size)} ${String(size)}"
    width="240"
    height="240"
    shape-rendering="crispEdges"
  >
    <rect width="100%" height="100%" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`;
}
