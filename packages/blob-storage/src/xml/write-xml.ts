/** Text as it stands in an element or attribute; characters that XML 1.0 cannot carry become U+FFFD. */
export function escapeXml(text: string): string {
  // Most text of a listing has nothing to escape, and one look is cheaper than six.
  if (!/[\u0000-\u0008\u000b-\u001f&<>"\ufffe\uffff]/u.test(text)) {
    return text;
  }
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#xD;");
}

/** `<name>text</name>`, or nothing when there is no value. */
export function textElement(name: string, text: string | number | boolean | undefined | null): string {
  return text === undefined || text === null ? "" : `<${name}>${escapeXml(String(text))}</${name}>`;
}

/** `<name attributes>content</name>` with content that is XML already; `<name />` without content. */
export function element(name: string, content: string, attributes: Readonly<Record<string, string>> = {}): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join("");
  return content === "" ? `<${name}${written} />` : `<${name}${written}>${content}</${name}>`;
}

/** A whole document. No byte-order mark: clients tolerate one, none needs it (storage, appendix B). */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>${root}`;
}

/** Whether an element's text can carry this name unchanged. */
export function isXmlText(text: string): boolean {
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/u.test(text);
}
