import { type ErrorNumber, errorTable } from "../protocol/error-table.ts";

/** A page that explains an error code; a list of all codes when there is no such code. (`error_uri` points here) */
export function errorPage(code: unknown, codePrefix: string): { readonly status: number; readonly html: string } {
  const number = typeof code === "string" ? numberOf(code) : undefined;
  const title = number === undefined ? "Error codes" : `${codePrefix}${number}`;
  const shown = number === undefined ? allNumbers : [number];
  const rows = shown.map((each) => row(each, codePrefix)).join("\n");
  return {
    status: number === undefined && code !== undefined ? 404 : 200,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width"></head>
<body>
<h1>${title}</h1>
<table>
<tr><th scope="col">Code</th><th scope="col">error</th><th scope="col">Status</th><th scope="col">Meaning</th></tr>
${rows}
</table>
</body>
</html>
`,
  };
}

const allNumbers = Object.keys(errorTable)
  .map(Number)
  .filter((number): number is ErrorNumber => number in errorTable);

/** With or without the letters before the number. */
function numberOf(code: string): ErrorNumber | undefined {
  const digits = /^[a-z]*(\d+)$/i.exec(code)?.[1];
  return allNumbers.find((number) => String(number) === digits);
}

function row(number: ErrorNumber, codePrefix: string): string {
  const { error, status, text } = errorTable[number];
  const cells = [`${codePrefix}${number}`, error, String(status), text];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}
