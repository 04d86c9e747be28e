import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { recordSignOut } from "../audit/record-sign-out.ts";
import { confirmFactor, type FactorChange, removeFactor } from "../factors/change-factors.ts";
import { setUpPage } from "../factors/factor-pages.ts";
import { newSecret as freshSecret } from "../factors/one-time-code.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { postedForm } from "../protocol/request-text.ts";
import { type IdentityServices } from "../services.ts";
import { checkPassword } from "../users/authenticate-user.ts";
import { type User } from "../users/user.ts";
import { accountPage, type ShownSession } from "./account-page.ts";
import { beginSession, heldSessions, latestSession } from "./browser-sessions.ts";
import { findCookie, FORM_COOKIE, setCookie } from "./cookies.ts";
import { type Page } from "./page.ts";
import { signInPage, type SignInView } from "./pages.ts";
import { type Session } from "./session-store.ts";
import { signInByForm } from "./sign-in-by-form.ts";
import { type PasswordOwner } from "./submit-sign-in.ts";

/** Where users look after their own sign-ins. */
export const ACCOUNT_PATH = "/account";
const FORM_KIND = "account";

interface AccountFormState {
  readonly passwordOf?: PasswordOwner | undefined;
  /** Set on the account page itself: the session that it was shown to. */
  readonly accountOf?: string | undefined;
  /** base64: the secret of an authenticator application that is being set up. */
  readonly newSecret?: string | undefined;
}

interface Step {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Serves the page on which users see and end their sessions and change how they sign in. */
export function registerAccountPage(app: FastifyInstance, services: IdentityServices): void {
  const flow = new AccountFlow(services);
  app.get(ACCOUNT_PATH, async (request, reply) => {
    const session = await latestSession(services, request);
    const page = await flow.show({ request, reply }, session);
    return reply.headers(page.headers).send(page.html);
  });
  app.post(ACCOUNT_PATH, async (request, reply) => {
    const page = await flow.submit({ request, reply }, postedForm(request));
    return reply.headers(page.headers).send(page.html);
  });
}

class AccountFlow {
  readonly #services: IdentityServices;

  constructor(services: IdentityServices) {
    this.#services = services;
  }

  /** The account of a session, or the sign-in page. */
  async show(step: Step, session: Session | undefined, message?: string): Promise<Page> {
    if (session === undefined) {
      return this.#page(step, {}, (view) => signInPage({ ...view, message }, ""));
    }
    const sessions = await this.#services.sessions.listOf(session.user);
    const shown = await Promise.all(sessions.map((each) => this.#shown(each, session)));
    const factors = (await this.#services.factors.list(session.user)).map(({ id, createdAtMs }) => ({
      id,
      since: shownTime(createdAtMs),
    }));
    const account = { userName: session.user.userPrincipalName, sessions: shown, factors };
    return this.#page(step, { accountOf: session.publicId }, (view) => accountPage({ ...view, message }, account));
  }

  async submit(step: Step, form: FormBody): Promise<Page> {
    const cookie = findCookie(step.request.headers.cookie, FORM_COOKIE);
    const state = this.#services.forms.open<AccountFormState>(FORM_KIND, form.find("form"), cookie);
    if (state === undefined) {
      return this.show(step, undefined, "The page was too old. Sign in again.");
    }
    if (state.accountOf === undefined) {
      const tenantChoice = { kind: "any", segment: "common" } as const;
      const { passwordOf } = state;
      const next = await signInByForm(this.#services, step, { form, tenantChoice, passwordOf, clientAppId: undefined });
      return next.kind === "session"
        ? this.show(step, next.session)
        : this.#page(step, { passwordOf: next.passwordOf }, next.render);
    }
    const held = await heldSessions(this.#services, step.request);
    const session = held.find((each) => each.session.publicId === state.accountOf)?.session;
    if (session === undefined) {
      return this.show(step, undefined, "Sign in again.");
    }
    if (form.find("change") === "password") {
      return this.#changePassword(step, session, form);
    }
    const isAboutFactors = form.find("factor") !== undefined || form.find("remove_factor") !== undefined;
    return isAboutFactors
      ? this.#changeFactors(step, session, state.newSecret, form)
      : this.#end(step, session, form.find("end"));
  }

  /** Adds an authenticator application in two steps, or takes one away. */
  async #changeFactors(step: Step, session: Session, newSecret: string | undefined, form: FormBody): Promise<Page> {
    const change: FactorChange = { services: this.#services, request: step.request, user: session.user };
    if (form.find("factor") === "confirm" && newSecret !== undefined) {
      const problem = await confirmFactor(change, newSecret, form.find("code") ?? "");
      return problem === undefined
        ? this.show(step, session, "The authenticator application was added.")
        : this.#setUp(step, session, newSecret, problem);
    }
    const problem = await this.#checkPassword(step, session.user, form);
    if (problem !== undefined) {
      return this.show(step, session, problem);
    }
    const removed = form.find("remove_factor");
    if (removed === undefined) {
      return this.#setUp(step, session, Buffer.from(freshSecret()).toString("base64"));
    }
    await removeFactor(change, removed);
    return this.show(step, session, "The authenticator application was removed.");
  }

  #setUp(step: Step, session: Session, newSecret: string, message?: string): Page {
    const setup = {
      secretBytes: Buffer.from(newSecret, "base64"),
      issuer: new URL(this.#services.settings.publicUrl).host,
      userName: session.user.userPrincipalName,
    };
    return this.#page(step, { accountOf: session.publicId, newSecret }, (view) =>
      setUpPage({ ...view, message }, setup, "It is asked for a code whenever you sign in."),
    );
  }

  /** @returns what is wrong with the present password */
  async #checkPassword({ request }: Step, user: User, form: FormBody): Promise<string | undefined> {
    try {
      const tenant = await this.#services.tenants.find(user.tenantId);
      if (tenant === undefined) {
        throw new IdentityError(50126);
      }
      const password = form.find("password") ?? "";
      await checkPassword(tenant, user.userPrincipalName, password, request.ip, this.#services);
      return undefined;
    } catch (error) {
      if (error instanceof IdentityError) {
        return error.message;
      }
      throw error;
    }
  }

  async #end(step: Step, session: Session, wanted: string | undefined): Promise<Page> {
    const ended = (await this.#services.sessions.listOf(session.user)).filter(
      (each) => wanted === "all" || each.publicId === wanted,
    );
    for (const each of ended) {
      await this.#services.backChannel.end(each);
    }
    await recordSignOut(this.#services, step.request, ended);
    const isOver = wanted === "all" || wanted === session.publicId;
    return this.show(step, isOver ? undefined : session, isOver ? "You are signed out." : undefined);
  }

  /** Every other session ends with the old password; this browser gets a new one. */
  async #changePassword(step: Step, session: Session, form: FormBody): Promise<Page> {
    const { user } = session;
    const problem = await this.#setPassword(step, user, form);
    if (problem !== undefined) {
      return this.show(step, session, problem);
    }
    const party = { kind: "user", id: user.id, name: user.userPrincipalName } as const;
    await this.#services.audit.append({
      category: "credential",
      activity: "Change own password",
      outcome: "success",
      tenantId: user.tenantId,
      actor: party,
      target: party,
      correlationId: exchangeOf(step.request).correlationId,
      ipAddress: step.request.ip,
    });
    await this.#services.backChannel.endAllOf(user);
    const changed = (await this.#services.users.findById(user.tenantId, user.id)) ?? user;
    const next = await beginSession(this.#services, step, changed, session.methods);
    return this.show(step, next, "The password was changed.");
  }

  /** @returns what is wrong with the entries */
  async #setPassword(step: Step, user: User, form: FormBody): Promise<string | undefined> {
    const password = form.find("new_password") ?? "";
    if (password !== (form.find("repeated_password") ?? "")) {
      return "The two entries differ.";
    }
    const problem = await this.#checkPassword(step, user, form);
    if (problem !== undefined) {
      return problem;
    }
    try {
      await this.#services.users.update(user, { password, mustChangePassword: false });
      return undefined;
    } catch (error) {
      if (error instanceof ManagementError) {
        return error.message;
      }
      throw error;
    }
  }

  async #shown(session: Session, here: Session): Promise<ShownSession> {
    const clients = await Promise.all(
      (await this.#services.sessions.clientsOf(session)).map(async ({ appId }) =>
        this.#services.applications.findByAppId(appId),
      ),
    );
    return {
      publicId: session.publicId,
      since: shownTime(session.authenticatedAtMs),
      applications: clients.flatMap((client) => client?.displayName ?? []),
      isHere: session.publicId === here.publicId,
    };
  }

  #page({ request, reply }: Step, state: AccountFormState, render: (view: SignInView) => Page): Page {
    const cookieBefore = findCookie(request.headers.cookie, FORM_COOKIE);
    const { sealed, cookie } = this.#services.forms.seal(FORM_KIND, state, cookieBefore);
    reply.header("set-cookie", setCookie(FORM_COOKIE, cookie));
    const view = { applicationName: "your account", sealed, message: undefined, formTargets: ["'self'"] };
    return render({ ...view, action: ACCOUNT_PATH });
  }
}

function shownTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
