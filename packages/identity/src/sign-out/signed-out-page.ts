import { formTarget } from "../sign-in/pages.ts";
import { html, type Page, renderPage } from "../sign-in/page.ts";

/**
 * Says that it is over, with a hidden frame for every client that wants to be told.
 *
 * @param next  where the browser goes then; a link for who doesn't want to wait
 */
export function signedOutPage(frames: readonly string[], next: string | undefined): Page {
  const hidden = frames.map((src) => html`<iframe src="${src}" title="Sign-out of an application" hidden></iframe>`);
  return renderPage({
    title: "Signed out",
    frameSources: [...new Set(frames.map(formTarget))],
    next,
    body: html` <h1>Signed out</h1>
      <p role="status">You are signed out on this browser.</p>
      ${next === undefined ? "" : html`<p><a href="${next}">Back to the application</a></p>`} ${hidden}`,
  });
}
