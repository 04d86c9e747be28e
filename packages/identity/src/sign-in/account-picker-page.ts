import { html, type Page, renderPage } from "./page.ts";
import { type SignInView, stateField } from "./pages.ts";
import { type Session } from "./session-store.ts";

/** Asks which of the accounts that are signed in in this browser is meant, or another one. */
export function accountPickerPage(view: SignInView, sessions: readonly Session[]): Page {
  const accounts = sessions.map(
    ({ publicId, user }) =>
      html`<button type="submit" name="account" value="${publicId}" class="second">${user.userPrincipalName}</button>`,
  );
  return renderPage({
    title: "Choose an account",
    formTargets: view.formTargets,
    body: html` <h1>Choose an account</h1>
      <p>to go on to ${view.applicationName}</p>
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)} ${accounts}
        <button type="submit" name="account" value="other">Use another account</button>
      </form>`,
  });
}
