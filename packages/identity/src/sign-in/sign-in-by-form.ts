import { type FastifyReply, type FastifyRequest } from "fastify";
import { recordSignIn } from "../audit/record-sign-in.ts";
import { codePage, setUpPage } from "../factors/factor-pages.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { type IdentityServices } from "../services.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { beginSession } from "./browser-sessions.ts";
import { type Page } from "./page.ts";
import { newPasswordPage, signInPage, type SignInView } from "./pages.ts";
import { type Session } from "./session-store.ts";
import { type PasswordOwner, type SignInOutcome, submitSignIn } from "./submit-sign-in.ts";

/** What a form of the sign-in page, or of a page that follows the password, is judged by. */
export interface SignInForm {
  readonly form: FormBody;
  readonly tenantChoice: TenantChoice;
  /** Set on the pages that follow the password. */
  readonly passwordOf: PasswordOwner | undefined;
  readonly clientAppId: string | undefined;
}

/** Somebody is signed in, or a page asks on; the page's form state says who proved a password. */
export type SignInStep =
  | { readonly kind: "session"; readonly session: Session }
  | {
      readonly kind: "page";
      readonly passwordOf: PasswordOwner | undefined;
      readonly render: (view: SignInView) => Page;
    };

/** One step of a sign-in, put on record; the browser gets the session's cookie with the last. */
export async function signInByForm(
  services: IdentityServices,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { form, tenantChoice, passwordOf, clientAppId }: SignInForm,
): Promise<SignInStep> {
  const outcome = await submitSignIn(services, tenantChoice, { passwordOf, ipAddress: exchange.request.ip }, form);
  const userName = form.find("username");
  await recordSignIn(services, exchange.request, outcome, { userName, clientAppId, passwordOf });
  switch (outcome.kind) {
    case "wrong": {
      const { message } = outcome;
      const render = (view: SignInView): Page => signInPage({ ...view, message }, userName ?? "");
      return { kind: "page", passwordOf: undefined, render };
    }
    case "signed in": {
      const { user, methods, stays } = outcome;
      return { kind: "session", session: await beginSession(services, exchange, user, methods, stays) };
    }
    default:
      return { kind: "page", passwordOf: outcome.passwordOf, render: (view) => pageFor(services, outcome, view) };
  }
}

/** The page for what is still missing. */
function pageFor(
  services: IdentityServices,
  { kind, user, passwordOf, message }: Exclude<SignInOutcome, { kind: "signed in" | "wrong" }>,
  plain: SignInView,
): Page {
  const view = { ...plain, message };
  switch (kind) {
    case "code":
      return codePage(view);
    case "set up": {
      const secretBytes = Buffer.from(passwordOf.newSecret ?? "", "base64");
      const issuer = new URL(services.settings.publicUrl).host;
      return setUpPage(
        view,
        { secretBytes, issuer, userName: user.userPrincipalName },
        "Your organization asks for a second factor.",
      );
    }
    case "new password":
      return newPasswordPage(view);
  }
}
