import { type JsonValue } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { type Representation } from "./representation-format.ts";

/** A small page with a representation's members, its addresses as links (graph §4.6: reachable with a browser). */
export function browsablePage({ type, shape, value }: Omit<Representation, "shape"> & { shape: string }): string {
  if (shape === "error") {
    const members = value instanceof Map ? (value as ReadonlyMap<string, JsonValue>) : undefined;
    const message = members?.get("message") ?? members?.get("exception");
    return `<html><head><title>Error</title></head><body><p><pre>${escapeHtml(typeof message === "string" ? message : type)}</pre></p></body></html>\n`;
  }
  const title = escapeHtml(type);
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1>
${block(value)}
</body>
</html>
`;
}

function block(value: JsonValue): string {
  if (value instanceof Map) {
    const rows = Array.from(
      value as ReadonlyMap<string, JsonValue>,
      ([name, member]) => `<dt>${escapeHtml(name)}</dt><dd>${block(member)}</dd>`,
    );
    return `<dl>${rows.join("\n")}</dl>`;
  }
  if (Array.isArray(value)) {
    return `<ul>${(value as readonly JsonValue[]).map((element) => `<li>${block(element)}</li>`).join("\n")}</ul>`;
  }
  if (typeof value === "string") {
    return isLink(value) ? `<a href="${escapeHtml(value)}">${escapeHtml(value)}</a>` : escapeHtml(value);
  }
  return escapeHtml(writeJson(value, "compact"));
}

/** Address templates (`{key}`) lead nowhere. */
function isLink(text: string): boolean {
  return /^https?:\/\/[^\s{}]+$/.test(text);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
