import { type FastifyReply, type FastifyRequest } from "fastify";
import { recordRefusedSignOn, recordSignOn, type SignOnKind } from "../audit/record-sign-on.ts";
import { storeConsent } from "../grants/permissions.ts";
import { v1Profile } from "../grants/v1-profile.ts";
import { v2Profile } from "../grants/v2-profile.ts";
import { type PermissionScope } from "../applications/application.ts";
import { type FormBody, parseFormBody, readFormBody } from "../protocol/form-body.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { type IdentityServices } from "../services.ts";
import { accountPickerPage } from "../sign-in/account-picker-page.ts";
import { heldSessions } from "../sign-in/browser-sessions.ts";
import { findCookie, FORM_COOKIE, setCookie } from "../sign-in/cookies.ts";
import { type Page } from "../sign-in/page.ts";
import { consentPage, formTarget, SIGN_IN_PATH, signInPage, type SignInView } from "../sign-in/pages.ts";
import { type Session } from "../sign-in/session-store.ts";
import { refuseOnPage } from "../sign-in/refuse-on-page.ts";
import { signInByForm } from "../sign-in/sign-in-by-form.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { pairwiseSubject } from "../tokens/pairwise-subject.ts";
import { demandedText } from "../tokens/requested-claims.ts";
import { ADMINISTRATOR } from "../users/user.ts";
import { type AuthorizeFormState, type AuthorizeRequest } from "./authorize-request.ts";
import { deliver, type Delivery } from "./deliver.ts";
import { furtherConsents, type FurtherConsent, storeFurtherConsents } from "./further-consents.ts";
import { type Authorization, issueAuthorization, prepareAuthorization } from "./issue-authorization.ts";
import { DeliverableError, readAuthorizeRequest } from "./read-authorize-request.ts";
import { refusalParameters } from "./refusal-parameters.ts";
import { namesOf } from "./requested-consent.ts";

/**
 * The way from an authorize request to its answer, over as many pages as it takes:
 *
 *     request ─ session? ─ one ─────────────── consented? ─ yes ─ answer
 *                 ├ several ─ choice of account ──┤  └ no ─ consent ─┘
 *                 └ none ─ sign-in ─ new password? ┘
 *
 * Between pages everything is in the form; the server keeps the session only.
 */
export class AuthorizeFlow {
  readonly #services: IdentityServices;

  constructor(services: IdentityServices) {
    this.#services = services;
  }

  /** A request as it comes from a client's redirect. */
  authorize(request: FastifyRequest, reply: FastifyReply, state: AuthorizeFormState): Promise<FastifyReply> {
    return this.#answering(request, reply, async () => {
      const authorizeRequest = await this.#read(state, request.headers["content-type"]);
      const step: Step = { request, reply, authorizeRequest, state };
      return this.#telling(step, async () => {
        const { prompts } = authorizeRequest;
        const sessions = prompts.has("login") ? [] : await this.#findSessions(step);
        const [session, ...more] = sessions;
        if (prompts.has("create")) {
          return this.#page(step, state, (view) => signInPage({ ...view, message: NO_SIGN_UP }, ""));
        }
        if (session !== undefined && more.length === 0 && !prompts.has("select_account")) {
          return this.#afterSignIn(step, session, "silent");
        }
        if (prompts.has("none")) {
          throw new IdentityError(session === undefined ? 50058 : 16000);
        }
        if (session !== undefined) {
          return this.#page(step, { ...state, isChoice: true }, (view) => accountPickerPage(view, sessions));
        }
        return this.#page(step, state, (view) => signInPage(view, authorizeRequest.loginHint ?? ""));
      });
    });
  }

  /** The form of one of our own pages. */
  submit(request: FastifyRequest, reply: FastifyReply, body: string): Promise<FastifyReply> {
    return this.#answering(request, reply, async () => {
      const form = parseFormBody(request.headers["content-type"], body);
      const cookie = findCookie(request.headers.cookie, FORM_COOKIE);
      const state = this.#services.forms.open<AuthorizeFormState>(FORM_KIND, form.find("form"), cookie);
      if (state === undefined) {
        throw new IdentityError(90013, { reason: "the form is too old or was opened in another browser; start again" });
      }
      const authorizeRequest = await this.#read(state, undefined);
      const step: Step = { request, reply, authorizeRequest, state };
      return this.#telling(step, () => {
        if (form.find("cancel") !== undefined) {
          throw new IdentityError(65004);
        }
        if (state.isChoice === true) {
          return this.#submitAccount(step, form);
        }
        return state.consentOf === undefined ? this.#submitSignIn(step, form) : this.#submitConsent(step, form);
      });
    });
  }

  async #submitSignIn(step: Step, form: FormBody): Promise<Delivery> {
    const { authorizeRequest, state } = step;
    const next = await signInByForm(this.#services, step, {
      form,
      tenantChoice: chosenTenant(authorizeRequest),
      passwordOf: state.passwordOf,
      clientAppId: authorizeRequest.application.appId,
    });
    return next.kind === "session"
      ? this.#afterSignIn(step, next.session, "by credential")
      : this.#page(step, { ...plain(state), passwordOf: next.passwordOf }, next.render);
  }

  /** A choice among the accounts that are signed in; whoever has to prove a password again is asked for it. */
  async #submitAccount(step: Step, form: FormBody): Promise<Delivery> {
    const { request, authorizeRequest, state } = step;
    const chosen = (await heldSessions(this.#services, request)).find(
      ({ session }) => session.publicId === form.find("account"),
    )?.session;
    return chosen !== undefined && this.#isFit(authorizeRequest, chosen)
      ? this.#afterSignIn(step, chosen, "silent")
      : this.#page(step, plain(state), (view) => signInPage(view, chosen?.user.userPrincipalName ?? ""));
  }

  /** Answers, or asks for consent first. (reference §7.4, §7.6) */
  async #afterSignIn(step: Step, session: Session, how: SignOnKind): Promise<Delivery> {
    const { authorizeRequest, state } = step;
    const { prompts } = authorizeRequest;
    if (!(await this.#isWhoIsMeant(authorizeRequest, session))) {
      // OpenID Connect Core §3.1.2.2: never the tokens of another user than the client asked for.
      throw new IdentityError(50058, {}, { detail: "somebody else signed in than the client asked for" });
    }
    const authorization = await prepareAuthorization(this.#services, authorizeRequest, session);
    const { missing, missingForAdministrator } = authorization.permissions;
    const isAdministrator = await this.#isAdministrator(session);
    const further = await furtherConsents(this.#services, authorization, authorizeRequest, isAdministrator);
    const isForEverybody = prompts.has("admin_consent");
    const mustAsk = prompts.has("consent") || isForEverybody || missing.length > 0 || authorization.isNewHere;
    const wanted = neededFromAdministrator(authorization);
    if (!mustAsk && wanted.length === 0 && further.length === 0) {
      return this.#answer(step, authorization, how);
    }
    const { appId } = authorization.client;
    if (prompts.has("none")) {
      const scopes = [...missing, ...wanted, ...further.flatMap((each) => each.scopes)];
      throw new IdentityError(65001, { scope: namesOf(scopes), client: appId });
    }
    if ((wanted.length > 0 || isForEverybody) && !isAdministrator) {
      throw new IdentityError(90094, { scope: namesOf(missingForAdministrator), client: appId });
    }
    return this.#page(step, { ...plain(state), consentOf: session.publicId }, (view) =>
      consentPage({
        ...view,
        userName: session.user.userPrincipalName,
        everybody: isForEverybody ? "always" : isAdministrator ? "on request" : "never",
        permissions: [...shownPermissions(authorization), ...shownFurther(further)],
      }),
    );
  }

  async #submitConsent(step: Step, form: FormBody): Promise<Delivery> {
    const { request, authorizeRequest, state } = step;
    const { prompts } = authorizeRequest;
    const held = await heldSessions(this.#services, request);
    const session = held.find((each) => each.session.publicId === state.consentOf)?.session;
    if (session === undefined) {
      return this.#page(step, plain(state), (view) => signInPage({ ...view, message: "Sign in again." }, ""));
    }
    if (form.find("consent") !== "accept") {
      throw new IdentityError(65004);
    }
    const authorization = await prepareAuthorization(this.#services, authorizeRequest, session);
    const isAdministrator = await this.#isAdministrator(session);
    const isAdminConsent = prompts.has("admin_consent");
    if (isAdminConsent && !isAdministrator) {
      throw new IdentityError(90094, { scope: namesOf([]), client: authorization.client.appId });
    }
    const { wanted } = authorization.permissions;
    const scopes = isAdministrator ? wanted : wanted.filter((scope) => scope.consentBy === "User");
    const forEverybody = isAdministrator && (isAdminConsent || form.find("everybody") === "yes");
    const consentedBy = forEverybody ? "everybody" : { userId: session.user.id };
    const further = await furtherConsents(this.#services, authorization, authorizeRequest, isAdministrator);
    if (authorization.isNewHere) {
      await this.#services.applications.admit(authorization.client, authorization.tenant.id);
    }
    if (scopes.length > 0) {
      await storeConsent(this.#services, authorization, scopes, consentedBy);
    }
    await storeFurtherConsents(this.#services, authorization, further, consentedBy);
    return this.#answer(step, authorization, "by credential");
  }

  /** What the client gets in the end. */
  async #answer({ request, authorizeRequest }: Step, authorization: Authorization, how: SignOnKind): Promise<Delivery> {
    const answer = await issueAuthorization(this.#services, authorizeRequest, authorization, request.ip);
    await recordSignOn(this.#services, request, authorization, how);
    const isAdminConsent = authorizeRequest.prompts.has("admin_consent");
    return deliver(authorizeRequest, isAdminConsent ? { ...answer, admin_consent: "True" } : answer);
  }

  async #isAdministrator(session: Session): Promise<boolean> {
    return (await this.#services.users.rolesOf(session.user)).includes(ADMINISTRATOR);
  }

  #read(state: AuthorizeFormState, contentType: string | undefined): Promise<AuthorizeRequest> {
    const form = readFormBody(contentType ?? "application/x-www-form-urlencoded", state.parameters);
    const profile = state.version === 1 ? v1Profile : v2Profile;
    return readAuthorizeRequest(this.#services, profile, state.tenantSegment, form);
  }

  /** The browser's sessions that may answer this request, the latest first. (reference §7.6) */
  async #findSessions({ request, authorizeRequest }: Step): Promise<readonly Session[]> {
    const hint = authorizeRequest.loginHint?.toLowerCase();
    const sessions = (await heldSessions(this.#services, request))
      .map(({ session }) => session)
      .filter((session) => this.#isFit(authorizeRequest, session))
      .filter(({ user }) => hint === undefined || hint === user.userPrincipalName.toLowerCase());
    const areMeant = await Promise.all(sessions.map((session) => this.#isWhoIsMeant(authorizeRequest, session)));
    return sessions.filter((_session, index) => areMeant[index] === true);
  }

  /** The user of the `id_token_hint`, and the `sub` that the `claims` demand; anybody when the client says neither. */
  async #isWhoIsMeant(
    { hintedUserId, requestedClaims, application }: AuthorizeRequest,
    { user }: Session,
  ): Promise<boolean> {
    const subject = demandedText(requestedClaims.idToken, "sub");
    const tenant = subject === undefined ? undefined : await this.#services.tenants.find(user.tenantId);
    const isSubject =
      subject === undefined ||
      (tenant !== undefined && pairwiseSubject(tenant, application.appId, user.id) === subject);
    return isSubject && (hintedUserId === undefined || hintedUserId === user.id);
  }

  /** Of the right tenant, and recent enough. */
  #isFit(request: AuthorizeRequest, session: Session): boolean {
    const { maxAgeSeconds } = request;
    const choice = chosenTenant(request);
    const ageMs = this.#services.clock.now() - session.authenticatedAtMs;
    return (
      (maxAgeSeconds === undefined || ageMs <= maxAgeSeconds * 1000) &&
      (choice.kind === "any" || choice.tenant.id === session.user.tenantId)
    );
  }

  #page(
    { request, reply, authorizeRequest }: Step,
    state: AuthorizeFormState,
    render: (view: SignInView) => Page,
  ): Delivery {
    const { sealed, cookie } = this.#services.forms.seal(
      FORM_KIND,
      state,
      findCookie(request.headers.cookie, FORM_COOKIE),
    );
    reply.header("set-cookie", setCookie(FORM_COOKIE, cookie));
    const page = render({
      applicationName: authorizeRequest.application.displayName,
      sealed,
      message: undefined,
      action: SIGN_IN_PATH,
      formTargets: ["'self'", formTarget(authorizeRequest.redirectUri)],
      mayCancel: true,
    });
    return { kind: "page", page };
  }

  /** From here on the client may be told what goes wrong. */
  async #telling({ request, authorizeRequest }: Step, run: () => Promise<Delivery>): Promise<Delivery> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof IdentityError)) {
        throw error;
      }
      await recordRefusedSignOn(this.#services, request, authorizeRequest.application, error);
      if (ON_A_PAGE.has(error.outermost) && !authorizeRequest.prompts.has("none")) {
        throw error;
      }
      throw new DeliverableError(error, authorizeRequest);
    }
  }

  /** Sends what a step comes to; refusals go to the client when its address is known to be good, else on a page. */
  async #answering(request: FastifyRequest, reply: FastifyReply, step: () => Promise<Delivery>): Promise<FastifyReply> {
    try {
      return send(reply, await step());
    } catch (thrown) {
      if (thrown instanceof DeliverableError) {
        const exchange = exchangeOf(request);
        return send(
          reply,
          deliver(thrown.reply, {
            ...refusalParameters(this.#services, thrown.error, exchange),
            iss: thrown.reply.issuer,
          }),
        );
      }
      if (!(thrown instanceof IdentityError)) {
        throw thrown;
      }
      return refuseOnPage(this.#services, request, reply, thrown);
    }
  }
}

const FORM_KIND = "authorize";
/** What the user can do something about and the client can't: another account, an administrator. (reference §7.4) */
const ON_A_PAGE: ReadonlySet<number> = new Set([50020, 90094]);
const NO_SIGN_UP = "Accounts are made by an administrator. Sign in if you have one.";

/** The tenant of the address, else the one whose domain the client named. */
function chosenTenant({ tenantChoice, hintedTenant }: AuthorizeRequest): TenantChoice {
  return hintedTenant === undefined
    ? tenantChoice
    : { kind: "tenant", tenant: hintedTenant, segment: hintedTenant.defaultDomain };
}

/** One request of a browser on its way. */
interface Step {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly authorizeRequest: AuthorizeRequest;
  readonly state: AuthorizeFormState;
}

/** The state without what one page alone is about. */
function plain({ parameters, tenantSegment, version }: AuthorizeFormState): AuthorizeFormState {
  return { parameters, tenantSegment, version };
}

/** With everything asked for, what only an administrator may give is left out instead of asked for. */
function neededFromAdministrator({ permissions, target }: Authorization): readonly PermissionScope[] {
  return target.permissions === "all" ? [] : permissions.missingForAdministrator;
}

const OPENID_TEXTS: Readonly<Record<string, string>> = {
  offline_access: "Keep access while you are away",
  openid: "Sign you in",
  profile: "See your name",
  email: "See your mail address",
};

function shownPermissions(authorization: Authorization): readonly { title: string; description: string }[] {
  const { permissions, target } = authorization;
  const openId = [...target.openIdScopes].map((name) => ({ title: OPENID_TEXTS[name] ?? name, description: "" }));
  const left = target.permissions === "all" ? permissions.missingForAdministrator : [];
  const scopes = permissions.wanted
    .filter((scope) => !left.includes(scope))
    .map((scope) => ({
      title: scope.userConsentDisplayName ?? scope.adminConsentDisplayName ?? scope.value,
      description: scope.userConsentDescription ?? scope.description,
    }));
  return [...openId, ...scopes];
}

function shownFurther(consents: readonly FurtherConsent[]): readonly { title: string; description: string }[] {
  return consents.flatMap(({ client, resource, scopes }) =>
    scopes.map((scope) => ({
      title: `${scope.userConsentDisplayName ?? scope.adminConsentDisplayName ?? scope.value} (${resource.displayName})`,
      description: `${scope.userConsentDescription ?? scope.description} For ${client.displayName}.`.trim(),
    })),
  );
}

export function send(reply: FastifyReply, delivery: Delivery): FastifyReply {
  if (delivery.kind === "redirect") {
    return reply.header("cache-control", "no-store").redirect(delivery.location, 302);
  }
  return reply.headers(delivery.page.headers).send(delivery.page.html);
}
