import { html, type Page, renderPage } from "./page.ts";

/**
 * Where the browser inside a desktop application ends: the application reads the address, the user needs nothing but to
 * know that it is over. (reference §7.5)
 */
export function nativeClientPage(): Page {
  return renderPage({
    title: "Signed in",
    body: html`<h1>Back to the application</h1>
      <p role="status">You can close this window.</p>`,
  });
}
