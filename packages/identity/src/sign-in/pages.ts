import { type Exchange } from "../protocol/exchange.ts";
import { errorBody, errorStatus, type ErrorStyle } from "../protocol/error-response.ts";
import { type IdentityError } from "../protocol/identity-error.ts";
import { html, Html, type Page, renderPage } from "./page.ts";

/** Where forms of the authorize endpoints' pages go back to. */
export const SIGN_IN_PATH = "/signin";

/** What the pages of one sign-in have in common. */
export interface SignInView {
  readonly applicationName: string;
  /** Where the form goes. */
  readonly action: string;
  /** The sealed state of the form. */
  readonly sealed: string;
  /** What went wrong at the last try. */
  readonly message: string | undefined;
  /** Where the answer will go: the browser follows the form's redirect there only if the page allows it. */
  readonly formTargets: readonly string[];
  /** Whether there is a client to go back to without signing in. */
  readonly mayCancel?: boolean | undefined;
}

/** Asks for user name and password. */
export function signInPage(view: SignInView, userName: string): Page {
  return renderPage({
    title: "Sign in",
    formTargets: view.formTargets,
    body: html` <h1>Sign in</h1>
      <p>to go on to ${view.applicationName}</p>
      ${alert(view.message)}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)}
        <label for="username">User name</label>
        <input
          id="username"
          name="username"
          type="text"
          inputmode="email"
          autocapitalize="none"
          spellcheck="false"
          autocomplete="username"
          required
          value="${userName}"
          ${userName === "" ? new Html("autofocus") : ""}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          ${userName === "" ? "" : new Html("autofocus")}
        />
        <p class="choice">
          <input id="stay" name="stay" type="checkbox" value="yes" />
          <label for="stay">Stay signed in on this device</label>
        </p>
        <button type="submit">Sign in</button>
        ${view.mayCancel === true ? cancelButton : ""}
      </form>`,
  });
}

const cancelButton: Html = html`<button type="submit" name="cancel" value="yes" class="second" formnovalidate>
  Cancel
</button>`;

/** Asks for a new password, when the present one is good for being changed only. */
export function newPasswordPage(view: SignInView): Page {
  return renderPage({
    title: "Choose a new password",
    formTargets: view.formTargets,
    body: html` <h1>Choose a new password</h1>
      <p>Your password has to be changed before you go on to ${view.applicationName}.</p>
      ${alert(view.message)}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)}
        <label for="new_password">New password</label>
        <input
          id="new_password"
          name="new_password"
          type="password"
          autocomplete="new-password"
          required
          minlength="8"
          autofocus
        />
        <label for="repeated_password">The same again</label>
        <input id="repeated_password" name="repeated_password" type="password" autocomplete="new-password" required />
        <button type="submit">Go on</button>
      </form>`,
  });
}

/** What a client asks for, in words. */
export interface ConsentView extends SignInView {
  readonly userName: string;
  readonly permissions: readonly { readonly title: string; readonly description: string }[];
  /** Whether the agreement is for everybody in the tenant, or the user may say so. */
  readonly everybody: "never" | "on request" | "always";
}

/** Asks whether the application may do what it asks for. */
export function consentPage(view: ConsentView): Page {
  const items = view.permissions.map(
    ({ title, description }) =>
      html`<li><strong>${title}</strong>${description === "" ? "" : html`<br />${description}`}</li>`,
  );
  return renderPage({
    title: "Permissions requested",
    formTargets: view.formTargets,
    body: html` <h1>Permissions requested</h1>
      <p>${view.applicationName} would like to, in the name of ${view.userName}:</p>
      <ul>
        ${items}
      </ul>
      ${view.everybody === "always" ? html`<p>You agree for everybody in the organization.</p>` : ""}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)} ${view.everybody === "on request" ? everybodyField : ""}
        <button type="submit" name="consent" value="accept">Accept</button>
        <button type="submit" name="consent" value="decline" class="second">Cancel</button>
      </form>`,
  });
}

const everybodyField: Html = html`<p class="choice">
  <input id="everybody" name="everybody" type="checkbox" value="yes" />
  <label for="everybody">Agree for everybody in the organization</label>
</p>`;

/** An error that nobody but the person in front of the browser may be told. */
export function errorPage(
  error: IdentityError,
  exchange: Exchange,
  nowMs: number,
  style: ErrorStyle,
): Page & { readonly status: number } {
  const body = errorBody(error, exchange, nowMs, style);
  const [text = ""] = body.error_description.split("\r\n");
  const page = renderPage({
    title: "Sign-in is not possible",
    body: html` <h1>Sign-in is not possible</h1>
      <p role="alert">${text}</p>
      <dl>
        <dt>Error</dt>
        <dd>${body.error}</dd>
        <dt>Trace ID</dt>
        <dd>${body.trace_id}</dd>
        <dt>Correlation ID</dt>
        <dd>${body.correlation_id}</dd>
        <dt>Timestamp</dt>
        <dd>${body.timestamp}</dd>
      </dl>`,
  });
  return { ...page, status: errorStatus(error) };
}

/** Sends itself to the client; with a button for browsers without scripts. */
export function formPostPage(action: string, fields: readonly (readonly [string, string])[]): Page {
  const inputs = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return renderPage({
    title: "Going on",
    formTargets: [formTarget(action)],
    script: "document.forms[0].submit()",
    body: html` <form method="post" action="${action}">
      ${inputs}
      <noscript
        ><p>Scripts are off in this browser.</p>
        <button type="submit">Go on</button></noscript
      >
    </form>`,
  });
}

/** A reply address as a source of the `form-action` policy: its origin, or its scheme if it has no origin. */
export function formTarget(redirectUri: string): string {
  const url = new URL(redirectUri);
  // An IPv6 address can't be written as a source of a policy.
  return url.origin === "null" || url.hostname.startsWith("[") ? url.protocol : url.origin;
}

export function alert(message: string | undefined): Html {
  return message === undefined ? html`` : html`<p role="alert">${message}</p>`;
}

export function stateField(sealed: string): Html {
  return html`<input type="hidden" name="form" value="${sealed}" />`;
}
