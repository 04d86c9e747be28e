import { html, type Page, renderPage } from "../sign-in/page.ts";
import { alert, type SignInView, stateField } from "../sign-in/pages.ts";

/** Asks for the code that the device shows. */
export function deviceCodePage(view: SignInView, code: string): Page {
  return renderPage({
    title: "Sign in a device",
    formTargets: view.formTargets,
    body: html` <h1>Sign in a device</h1>
      <p>Enter the code that your device shows.</p>
      ${alert(view.message)}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)}
        <label for="user_code">Code</label>
        <input
          id="user_code"
          name="user_code"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          required
          value="${code}"
          autofocus
        />
        <button type="submit">Next</button>
      </form>`,
  });
}

/** Asks whether this is the device and the application that the user means. */
export function deviceConfirmPage(
  view: SignInView,
  details: { readonly userCode: string; readonly userName: string; readonly permissions: readonly string[] },
): Page {
  const items = details.permissions.map((text) => html`<li>${text}</li>`);
  return renderPage({
    title: "Is this your device?",
    formTargets: view.formTargets,
    body: html` <h1>Is this your device?</h1>
      <p>
        You are signing in to ${view.applicationName} as ${details.userName} on the device that shows the code
        ${details.userCode}. Go on only if you started this yourself and have the device in front of you.
      </p>
      <ul>
        ${items}
      </ul>
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)}
        <button type="submit" name="consent" value="accept">Go on</button>
        <button type="submit" name="consent" value="decline" class="second">Cancel</button>
      </form>`,
  });
}

export function deviceDonePage(text: string): Page {
  return renderPage({
    title: "Sign in a device",
    body: html`<h1>Sign in a device</h1>
      <p role="status">${text}</p>`,
  });
}
