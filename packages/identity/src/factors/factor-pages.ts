import { type Html, html, type Page, renderPage } from "../sign-in/page.ts";
import { alert, type SignInView, stateField } from "../sign-in/pages.ts";
import { base32, setupAddress } from "./one-time-code.ts";
import { qrCode } from "./qr-code.ts";

/** Asks for a code of the authenticator application, after the password. */
export function codePage(view: SignInView): Page {
  return renderPage({
    title: "Enter your code",
    formTargets: view.formTargets,
    body: html` <h1>Enter your code</h1>
      <p>Your authenticator application shows six digits.</p>
      ${alert(view.message)}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)} ${codeField}
        <button type="submit">Go on</button>
      </form>`,
  });
}

/** What a new authenticator application is set up with. */
export interface Setup {
  readonly secretBytes: Uint8Array;
  /** The name under which the application lists the account. */
  readonly issuer: string;
  readonly userName: string;
}

/**
 * Shows the secret, as a picture and in letters, and asks for a first code: only what the application has understood is
 * kept.
 */
export function setUpPage(view: SignInView, { secretBytes, issuer, userName }: Setup, reason: string): Page {
  const address = setupAddress(secretBytes, issuer, userName);
  const groups = base32(secretBytes).replace(/(.{4})(?=.)/g, "$1 ");
  return renderPage({
    title: "Set up an authenticator application",
    formTargets: view.formTargets,
    body: html` <h1>Set up an authenticator application</h1>
      <p>${reason}</p>
      <p>Scan this picture with the application, or type the key into it.</p>
      ${qrCode(address, "Picture with the key for the authenticator application")}
      <p><code>${groups}</code></p>
      ${alert(view.message)}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)} ${codeField}
        <button type="submit" name="factor" value="confirm">Go on</button>
      </form>`,
  });
}

const codeField: Html = html`<label for="code">Code</label>
  <input
    id="code"
    name="code"
    type="text"
    inputmode="numeric"
    pattern="[0-9 ]*"
    autocomplete="one-time-code"
    required
    autofocus
  />`;
