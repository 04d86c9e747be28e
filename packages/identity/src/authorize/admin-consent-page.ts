import { html, type Page, renderPage } from "../sign-in/page.ts";
import { type SignInView, stateField } from "../sign-in/pages.ts";
import { type RequestedConsent } from "./requested-consent.ts";

/** Asks an administrator whether the application may do all this, for everybody in the tenant. */
export function adminConsentPage(view: SignInView, tenantName: string, consents: readonly RequestedConsent[]): Page {
  const sections = consents.map(({ resource, scopes, roles }) => {
    const items = [
      ...scopes.map((scope) => [scope.adminConsentDisplayName ?? scope.value, scope.description] as const),
      ...roles.map((role) => [`${role.displayName} (without a user)`, role.description] as const),
    ].map(([title, text]) => html`<li><strong>${title}</strong>${text === "" ? "" : html`<br />${text}`}</li>`);
    return html`<h2>${resource.displayName}</h2>
      <ul>
        ${items}
      </ul>`;
  });
  return renderPage({
    title: "Permissions for everybody",
    formTargets: view.formTargets,
    body: html` <h1>Permissions for everybody</h1>
      <p>${view.applicationName} would like to be used in ${tenantName}, without asking each user, to:</p>
      ${sections}
      <form method="post" action="${view.action}">
        ${stateField(view.sealed)}
        <button type="submit" name="consent" value="accept">Accept for everybody</button>
        <button type="submit" name="consent" value="decline" class="second">Cancel</button>
      </form>`,
  });
}
