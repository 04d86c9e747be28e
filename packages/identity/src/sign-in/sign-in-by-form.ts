import { type FastifyReply, type FastifyRequest } from "fastify";
import { recordSignIn } from "../audit/record-sign-in.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { type IdentityServices } from "../services.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { beginSession } from "./browser-sessions.ts";
import { type Page } from "./page.ts";
import { newPasswordPage, signInPage, type SignInView } from "./pages.ts";
import { type Session } from "./session-store.ts";
import { type PasswordOwner, submitSignIn } from "./submit-sign-in.ts";

/** What a form of the sign-in page, or of the page for a new password, is judged by. */
export interface SignInForm {
  readonly form: FormBody;
  readonly tenantChoice: TenantChoice;
  /** Set on the page for a new password. */
  readonly passwordOf: PasswordOwner | undefined;
  readonly clientAppId: string | undefined;
}

/** Somebody is signed in, or a page asks on; the page's form state says whose password must be changed. */
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
  const outcome = await submitSignIn(services, tenantChoice, { passwordOf }, form);
  const userName = form.find("username");
  const isNewPassword = passwordOf !== undefined;
  await recordSignIn(services, exchange.request, outcome, { userName, clientAppId, isNewPassword });
  switch (outcome.kind) {
    case "wrong": {
      const { message } = outcome;
      const render = (view: SignInView): Page => signInPage({ ...view, message }, userName ?? "");
      return { kind: "page", passwordOf: undefined, render };
    }
    case "new password": {
      const { message } = outcome;
      return {
        kind: "page",
        passwordOf: outcome.passwordOf,
        render: (view) => newPasswordPage({ ...view, message }),
      };
    }
    case "signed in": {
      const stays = form.find("stay") === "yes";
      const session = await beginSession(services, exchange, outcome.user, outcome.methods, stays);
      return { kind: "session", session };
    }
  }
}
