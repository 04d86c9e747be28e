import { type ErrorNumber, errorTable } from "../protocol/error-table.ts";
import { html, type Html, type Page, renderPage } from "../sign-in/page.ts";

/** A page that explains an error code; a list of all codes when there is no such code. (`error_uri` points here) */
export function errorCodePage(code: unknown, codePrefix: string): Page & { readonly status: number } {
  const number = typeof code === "string" ? numberOf(code) : undefined;
  const title = number === undefined ? "Error codes" : `${codePrefix}${number}`;
  const shown = number === undefined ? allNumbers : [number];
  const page = renderPage({
    title,
    isWide: true,
    body: html`<h1>${title}</h1>
      <table>
        <tr>
          <th scope="col">Code</th>
          <th scope="col">error</th>
          <th scope="col">Status</th>
          <th scope="col">Meaning</th>
        </tr>
        ${shown.map((each) => row(each, codePrefix))}
      </table>`,
  });
  return { ...page, status: number === undefined && code !== undefined ? 404 : 200 };
}

const allNumbers = Object.keys(errorTable)
  .map(Number)
  .filter((number): number is ErrorNumber => number in errorTable);

/** With or without the letters before the number. */
function numberOf(code: string): ErrorNumber | undefined {
  const digits = /^[a-z]*(\d+)$/i.exec(code)?.[1];
  return allNumbers.find((number) => String(number) === digits);
}

function row(number: ErrorNumber, codePrefix: string): Html {
  const { error, status, text } = errorTable[number];
  const cells = [`${codePrefix}${number}`, error, String(status), text];
  return html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;
}
