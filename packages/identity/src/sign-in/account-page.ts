import { type Html, html, type Page, renderPage } from "./page.ts";
import { alert, type SignInView, stateField } from "./pages.ts";

/** A session as its user sees it. */
export interface ShownSession {
  readonly publicId: string;
  readonly since: string;
  readonly applications: readonly string[];
  readonly isHere: boolean;
}

/** An authenticator application as its user sees it. */
export interface ShownFactor {
  readonly id: string;
  readonly since: string;
}

/** What the page shows beside the session it is shown to. */
export interface ShownAccount {
  readonly userName: string;
  readonly sessions: readonly ShownSession[];
  readonly factors: readonly ShownFactor[];
}

/** Lists where the user is signed in and with what, and takes a new password. */
export function accountPage(view: SignInView, { userName, sessions, factors }: ShownAccount): Page {
  const items = sessions.map(
    ({ publicId, since, applications, isHere }) =>
      html`<li>
        ${isHere ? "This browser, since" : "Since"} ${since}: ${applications.join(", ") || "no application yet"}
        <button type="submit" name="end" value="${publicId}" class="second" aria-label="End the session since ${since}">
          End
        </button>
      </li>`,
  );
  return renderPage({
    title: "Your account",
    formTargets: view.formTargets,
    body: html` <h1>Your account</h1>
      <p>${userName}</p>
      ${alert(view.message)}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)}
        <h2>Where you are signed in</h2>
        <ul>
          ${items}
        </ul>
        <button type="submit" name="end" value="all">Sign out everywhere</button>
      </form>
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)}
        <h2>Change your password</h2>
        <label for="password">Present password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <label for="new_password">New password</label>
        <input
          id="new_password"
          name="new_password"
          type="password"
          autocomplete="new-password"
          required
          minlength="8"
        />
        <label for="repeated_password">The same again</label>
        <input id="repeated_password" name="repeated_password" type="password" autocomplete="new-password" required />
        <button type="submit" name="change" value="password">Change</button>
      </form>
      ${factorForm(view, factors)}`,
  });
}

/** The password is asked for again: whoever finds a browser open must not change how its user signs in. */
function factorForm(view: SignInView, factors: readonly ShownFactor[]): Html {
  const items = factors.map(
    ({ id, since }) =>
      html`<li>
        Authenticator application, since ${since}
        <button
          type="submit"
          name="remove_factor"
          value="${id}"
          class="second"
          aria-label="Remove the authenticator application since ${since}"
        >
          Remove
        </button>
      </li>`,
  );
  return html`<form method="post" action="${view.action}">
    ${stateField(view.sealed)}
    <h2>Second factor</h2>
    ${
      factors.length === 0
        ? html`<p>None yet: your password is enough to sign in.</p>`
        : html`<ul>
            ${items}
          </ul>`
    }
    <label for="factor_password">Password</label>
    <input id="factor_password" name="password" type="password" autocomplete="current-password" required />
    <button type="submit" name="factor" value="begin">Add an authenticator application</button>
  </form>`;
}
