import { type FastifyReply, type FastifyRequest } from "fastify";
import { type Application } from "../applications/application.ts";
import { storeConsent } from "../grants/permissions.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type FormBody, parseFormBody } from "../protocol/form-body.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { CLIENT_ID, LOGIN_HINT, REDIRECT_URI, SCOPE, STATE } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { heldSessions } from "../sign-in/browser-sessions.ts";
import { findCookie, FORM_COOKIE, setCookie } from "../sign-in/cookies.ts";
import { type Page } from "../sign-in/page.ts";
import { formTarget, signInPage, type SignInView } from "../sign-in/pages.ts";
import { type Session } from "../sign-in/session-store.ts";
import { refuseOnPage } from "../sign-in/refuse-on-page.ts";
import { signInByForm } from "../sign-in/sign-in-by-form.ts";
import { type PasswordOwner } from "../sign-in/submit-sign-in.ts";
import { resolveTenant, type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { issuerOf, TENANT_PLACEHOLDER } from "../tokens/issuer.ts";
import { ADMINISTRATOR } from "../users/user.ts";
import { adminConsentPage } from "./admin-consent-page.ts";
import { send } from "./authorize-flow.ts";
import { type ReplyAddress } from "./authorize-request.ts";
import { deliver, type Delivery } from "./deliver.ts";
import { findReplyAddress } from "./find-reply-address.ts";
import { refusalParameters } from "./refusal-parameters.ts";
import { DeliverableError } from "./read-authorize-request.ts";
import { namedConsents, namesOf, registeredConsents, type RequestedConsent } from "./requested-consent.ts";

/** Where the forms of this flow's pages go. */
export const ADMIN_CONSENT_FORM_PATH = "/adminconsent";
const FORM_KIND = "admin consent";

/** What a form of the flow is about: the request as it came, and what its page asked. */
export interface AdminConsentState {
  readonly parameters: string;
  readonly tenantSegment: string;
  readonly version: 1 | 2;
  readonly passwordOf?: PasswordOwner | undefined;
  /** Set on the page that asks for consent: the session that was asked. */
  readonly consentOf?: string | undefined;
}

/** A request that is known to come from a client of ours, with the address that its answer goes to. */
interface AdminConsentRequest {
  readonly choice: TenantChoice;
  readonly client: Application;
  readonly reply: ReplyAddress;
  /** v2.0: the permissions asked for; undefined: those of the registration. */
  readonly scope: string | undefined;
  readonly loginHint: string | undefined;
}

interface Step {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly state: AdminConsentState;
  readonly asked: AdminConsentRequest;
}

/**
 * An administrator gives an application its permissions for everybody in the tenant, and an application of another
 * tenant a home here: sign-in ─ administrator? ─ consent ─ answer. (reference §7.6; decisions/0025)
 */
export class AdminConsentFlow {
  readonly #services: IdentityServices;

  constructor(services: IdentityServices) {
    this.#services = services;
  }

  /** A request as it comes from a client's redirect. */
  show(request: FastifyRequest, reply: FastifyReply, state: AdminConsentState): Promise<FastifyReply> {
    return this.#answering(request, reply, state, async (step) => {
      const { loginHint } = step.asked;
      const held = (await heldSessions(this.#services, request)).map((each) => each.session);
      const session = held.find(({ user }) => loginHint === undefined || user.userPrincipalName === loginHint);
      return session === undefined
        ? this.#page(step, {}, (view) => signInPage(view, loginHint ?? ""))
        : this.#ask(step, session);
    });
  }

  /** The form of one of the flow's pages. */
  async submit(request: FastifyRequest, reply: FastifyReply, body: string): Promise<FastifyReply> {
    const form = parseFormBody(request.headers["content-type"], body);
    const cookie = findCookie(request.headers.cookie, FORM_COOKIE);
    const state = this.#services.forms.open<AdminConsentState>(FORM_KIND, form.find("form"), cookie);
    return this.#answering(request, reply, state, async (step) => {
      if (step.state.consentOf !== undefined) {
        return this.#settle(step, step.state.consentOf, form);
      }
      const next = await signInByForm(this.#services, step, {
        form,
        tenantChoice: step.asked.choice,
        passwordOf: step.state.passwordOf,
        clientAppId: step.asked.client.appId,
      });
      return next.kind === "session"
        ? this.#ask(step, next.session)
        : this.#page(step, { passwordOf: next.passwordOf }, next.render);
    });
  }

  async #ask(step: Step, session: Session): Promise<Delivery> {
    const { tenant, consents } = await this.#judge(step.asked, session);
    return this.#page(step, { consentOf: session.publicId }, (view) =>
      adminConsentPage(view, tenant.displayName, consents),
    );
  }

  async #settle(step: Step, consentOf: string, form: FormBody): Promise<Delivery> {
    const held = await heldSessions(this.#services, step.request);
    const session = held.find((each) => each.session.publicId === consentOf)?.session;
    if (session === undefined) {
      return this.#page(step, {}, (view) => signInPage({ ...view, message: "Sign in again." }, ""));
    }
    if (form.find("consent") !== "accept") {
      throw new IdentityError(65004);
    }
    const { asked } = step;
    const { tenant, consents } = await this.#judge(asked, session);
    await this.#give(asked.client, tenant, session, consents);
    const issuer = issuerOf(this.#services.settings.publicUrl, tenant.id, step.state.version);
    return deliver(asked.reply, { admin_consent: "True", tenant: tenant.id, scope: asked.scope, iss: issuer });
  }

  /** @throws IdentityError 50020 for somebody of elsewhere, 90094 for who is no administrator, and for bad scopes */
  async #judge(
    { choice, client, scope }: AdminConsentRequest,
    { user }: Session,
  ): Promise<{ readonly tenant: Tenant; readonly consents: readonly RequestedConsent[] }> {
    const { tenants, users } = this.#services;
    const tenant = await tenants.find(user.tenantId);
    const isElsewhere = choice.kind === "tenant" && choice.tenant.id !== user.tenantId;
    if (tenant === undefined || isElsewhere || !mayLiveIn(client, tenant.id)) {
      throw new IdentityError(50020);
    }
    const consents =
      scope === undefined
        ? await registeredConsents(this.#services, tenant, client)
        : await namedConsents(this.#services, tenant, client, scope);
    if (!(await users.rolesOf(user)).includes(ADMINISTRATOR)) {
      const scopes = consents.flatMap((each) => each.scopes);
      throw new IdentityError(90094, { scope: namesOf(scopes), client: client.appId });
    }
    return { tenant, consents };
  }

  async #give(
    client: Application,
    tenant: Tenant,
    { user }: Session,
    consents: readonly RequestedConsent[],
  ): Promise<void> {
    const { applications, appRoleAssignments } = this.#services;
    const admitted = client.servicePrincipals.has(tenant.id) ? client : await applications.admit(client, tenant.id);
    const id = admitted.servicePrincipals.get(tenant.id) ?? "";
    for (const { resource, scopes, roles } of consents) {
      if (scopes.length > 0) {
        const registration = resource.applicationId === undefined ? undefined : { id: resource.applicationId };
        const request = { tenant, client: admitted, user, resource: { appId: resource.appId, registration } };
        await storeConsent(this.#services, request, scopes, "everybody");
      }
      for (const role of roles) {
        await appRoleAssignments
          .assign(tenant.id, { kind: "servicePrincipal", id }, resource, role.id)
          .catch(ignoreRepetition);
      }
    }
  }

  async #read({ parameters, tenantSegment, version }: AdminConsentState): Promise<AdminConsentRequest> {
    const form = parseFormBody("application/x-www-form-urlencoded", parameters);
    const choice = await resolveTenant(this.#services.tenants, tenantSegment);
    const clientId = form.get(CLIENT_ID);
    const client = await this.#services.applications.findByAppId(clientId);
    if (client === undefined || (choice.kind === "tenant" && !mayLiveIn(client, choice.tenant.id))) {
      throw new IdentityError(700016, { client: clientId, tenant: tenantSegment });
    }
    if (!client.document.isEnabled) {
      throw new IdentityError(7000112, { client: clientId });
    }
    const { uri } = findReplyAddress(client, form.find(REDIRECT_URI));
    const segment = choice.kind === "tenant" ? choice.tenant.id : TENANT_PLACEHOLDER;
    const issuer = issuerOf(this.#services.settings.publicUrl, segment, version);
    const reply: ReplyAddress = { redirectUri: uri, responseMode: "query", state: form.find(STATE), issuer };
    const scope = version === 2 ? form.find(SCOPE) : undefined;
    return { choice, client, reply, scope, loginHint: form.find(LOGIN_HINT) };
  }

  #page(
    { request, reply, state, asked }: Step,
    more: Pick<AdminConsentState, "passwordOf" | "consentOf">,
    render: (view: SignInView) => Page,
  ): Delivery {
    const { parameters, tenantSegment, version } = state;
    const cookieBefore = findCookie(request.headers.cookie, FORM_COOKIE);
    const next: AdminConsentState = { parameters, tenantSegment, version, ...more };
    const { sealed, cookie } = this.#services.forms.seal(FORM_KIND, next, cookieBefore);
    reply.header("set-cookie", setCookie(FORM_COOKIE, cookie));
    const page = render({
      applicationName: asked.client.displayName,
      sealed,
      message: undefined,
      action: ADMIN_CONSENT_FORM_PATH,
      formTargets: ["'self'", formTarget(asked.reply.redirectUri)],
    });
    return { kind: "page", page };
  }

  /** Refusals go to the client once its address is known to be good, else on a page. */
  async #answering(
    request: FastifyRequest,
    reply: FastifyReply,
    state: AdminConsentState | undefined,
    step: (step: Step) => Promise<Delivery>,
  ): Promise<FastifyReply> {
    try {
      if (state === undefined) {
        throw new IdentityError(90013, { reason: "the form is too old or was opened in another browser; start again" });
      }
      const asked = await this.#read(state);
      return send(reply, await telling(asked.reply, () => step({ request, reply, state, asked })));
    } catch (thrown) {
      if (thrown instanceof DeliverableError) {
        const refusal = refusalParameters(this.#services, thrown.error, exchangeOf(request));
        return send(reply, deliver(thrown.reply, { ...refusal, iss: thrown.reply.issuer }));
      }
      if (!(thrown instanceof IdentityError)) {
        throw thrown;
      }
      return refuseOnPage(this.#services, request, reply, thrown);
    }
  }
}

/** At home there, or free to be. */
function mayLiveIn(client: Application, tenantId: string): boolean {
  return client.document.isMultiTenant || client.servicePrincipals.has(tenantId);
}

/** An administrator may say the same twice. */
function ignoreRepetition(error: unknown): void {
  if (!(error instanceof ManagementError)) {
    throw error;
  }
}

async function telling(reply: ReplyAddress, step: () => Promise<Delivery>): Promise<Delivery> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof IdentityError ? new DeliverableError(error, reply) : error;
  }
}
