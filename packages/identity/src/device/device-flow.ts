import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type Application } from "../applications/application.ts";
import { recordDeviceDecision } from "../audit/record-device.ts";
import { getResource } from "../applications/resource.ts";
import { checkUserAdmission } from "../grants/admission.ts";
import { judgePermissions, type PermissionRequest, storeConsent } from "../grants/permissions.ts";
import { v1Profile } from "../grants/v1-profile.ts";
import { v2Profile } from "../grants/v2-profile.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { postedForm } from "../protocol/request-text.ts";
import { type IdentityServices } from "../services.ts";
import { latestSession } from "../sign-in/browser-sessions.ts";
import { findCookie, FORM_COOKIE, setCookie } from "../sign-in/cookies.ts";
import { type Page } from "../sign-in/page.ts";
import { signInPage, type SignInView } from "../sign-in/pages.ts";
import { type Session } from "../sign-in/session-store.ts";
import { refuseOnPage } from "../sign-in/refuse-on-page.ts";
import { signInByForm } from "../sign-in/sign-in-by-form.ts";
import { type PasswordOwner } from "../sign-in/submit-sign-in.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type PendingDevice } from "./device-code-store.ts";
import { deviceCodePage, deviceConfirmPage, deviceDonePage } from "./device-pages.ts";

/** Where users type their codes. */
export const DEVICE_PATH = "/device";
const ALIASES = ["/devicelogin", "/common/oauth2/deviceauth"];

/** What a form of the flow is about. */
interface DeviceFormState {
  readonly userCode?: string | undefined;
  readonly passwordOf?: PasswordOwner | undefined;
  /** Set on the page that asks for confirmation: the session that was asked. */
  readonly confirmOf?: string | undefined;
}

const FORM_KIND = "device";

/**
 * Serves the pages on which a user signs a device in: code → sign-in → confirmation with the application's name, so that
 * nobody signs in a device he doesn't have in front of him. (RFC 8628 §3.3, §5.4)
 */
export function registerDevicePages(app: FastifyInstance, services: IdentityServices): void {
  const flow = new DeviceFlow(services);
  for (const path of [DEVICE_PATH, ...ALIASES]) {
    app.get<{ Querystring: Record<string, unknown> }>(path, (request, reply) => {
      const code = request.query["user_code"] ?? request.query["otc"];
      return flow.show(request, reply, typeof code === "string" ? code : "");
    });
  }
  app.post(DEVICE_PATH, (request, reply) => flow.submit(request, reply));
}

class DeviceFlow {
  readonly #services: IdentityServices;

  constructor(services: IdentityServices) {
    this.#services = services;
  }

  async show(request: FastifyRequest, reply: FastifyReply, code: string): Promise<FastifyReply> {
    return send(
      reply,
      this.#page({ request, reply }, {}, "", (view) => deviceCodePage(view, code)),
    );
  }

  async submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      const form = postedForm(request);
      const cookie = findCookie(request.headers.cookie, FORM_COOKIE);
      const state = this.#services.forms.open<DeviceFormState>(FORM_KIND, form.find("form"), cookie);
      if (state === undefined) {
        throw new IdentityError(90013, { reason: "the form is too old or was opened in another browser; start again" });
      }
      return send(reply, await this.#goOn({ request, reply }, state, form));
    } catch (thrown) {
      if (!(thrown instanceof IdentityError)) {
        throw thrown;
      }
      return refuseOnPage(this.#services, request, reply, thrown);
    }
  }

  async #goOn(step: Step, state: DeviceFormState, form: FormBody): Promise<Page> {
    const typed = state.userCode ?? form.find("user_code") ?? "";
    const device = await this.#services.deviceCodes.findPending(typed);
    const client = device === undefined ? undefined : await this.#services.applications.findByAppId(device.appId);
    if (device === undefined || client === undefined) {
      return this.#page(step, {}, "", (view) =>
        deviceCodePage({ ...view, message: "There is no such code, or it has expired." }, typed),
      );
    }
    if (state.confirmOf !== undefined) {
      return this.#settle(step, device, client, state.confirmOf, form);
    }
    if (state.userCode === undefined) {
      const session = await latestSession(this.#services, step.request);
      return session === undefined
        ? this.#page(step, { userCode: device.userCode }, client.displayName, (view) => signInPage(view, ""))
        : this.#confirm(step, device, client, session);
    }
    return this.#signIn(step, device, client, state, form);
  }

  async #signIn(
    step: Step,
    device: PendingDevice,
    client: Application,
    state: DeviceFormState,
    form: FormBody,
  ): Promise<Page> {
    const { userCode } = device;
    const next = await signInByForm(this.#services, step, {
      form,
      tenantChoice: await this.#choiceOf(device),
      passwordOf: state.passwordOf,
      clientAppId: client.appId,
    });
    return next.kind === "session"
      ? this.#confirm(step, device, client, next.session)
      : this.#page(step, { userCode, passwordOf: next.passwordOf }, client.displayName, next.render);
  }

  async #confirm(step: Step, device: PendingDevice, client: Application, session: Session): Promise<Page> {
    const request = await this.#permissionRequest(device, client, session);
    const { wanted } = await judgePermissions(this.#services, request);
    const state = { userCode: device.userCode, confirmOf: session.publicId };
    return this.#page(step, state, client.displayName, (view) =>
      deviceConfirmPage(view, {
        userCode: device.userCode,
        userName: session.user.userPrincipalName,
        permissions: wanted
          .filter((scope) => scope.consentBy === "User")
          .map((scope) => scope.description || scope.value),
      }),
    );
  }

  async #settle(
    step: Step,
    device: PendingDevice,
    client: Application,
    confirmOf: string,
    form: FormBody,
  ): Promise<Page> {
    const session = await latestSession(this.#services, step.request);
    if (session === undefined || session.publicId !== confirmOf) {
      return this.#page(step, { userCode: device.userCode }, client.displayName, (view) =>
        signInPage({ ...view, message: "Sign in again." }, ""),
      );
    }
    if (form.find("consent") !== "accept") {
      await this.#services.deviceCodes.decline(device.userCode);
      await recordDeviceDecision(this.#services, step.request, { client, user: session.user, isApproved: false });
      return deviceDonePage("The device was not signed in.");
    }
    const request = await this.#permissionRequest(device, client, session);
    const { missing } = await judgePermissions(this.#services, request);
    if (missing.length > 0) {
      await storeConsent(this.#services, request, missing, { userId: session.user.id });
    }
    const isOpen = await this.#services.deviceCodes.approve(device.userCode, session);
    if (isOpen) {
      await recordDeviceDecision(this.#services, step.request, { client, user: session.user, isApproved: true });
    }
    return deviceDonePage(
      isOpen ? `${client.displayName} is signed in on your device. You can close this page.` : "The code has expired.",
    );
  }

  async #permissionRequest(device: PendingDevice, client: Application, session: Session): Promise<PermissionRequest> {
    const tenant = await this.#services.tenants.find(session.user.tenantId);
    const isElsewhere = device.tenantId !== undefined && device.tenantId !== tenant?.id;
    if (tenant === undefined || isElsewhere || !client.servicePrincipals.has(tenant.id)) {
      throw new IdentityError(50020);
    }
    const profile = device.resource === undefined ? v2Profile : v1Profile;
    const target = profile.parseScopes(device.scope);
    const resourceName = target.resourceName ?? device.resource;
    const resource = await getResource(this.#services.applications, tenant, resourceName);
    const request = { tenant, client, user: session.user, resource, target };
    await checkUserAdmission(this.#services, tenant, request);
    return request;
  }

  async #choiceOf(device: PendingDevice): Promise<TenantChoice> {
    const tenant = device.tenantId === undefined ? undefined : await this.#services.tenants.find(device.tenantId);
    return tenant === undefined ? { kind: "any", segment: "common" } : { kind: "tenant", tenant, segment: tenant.id };
  }

  #page(
    { request, reply }: Step,
    state: DeviceFormState,
    applicationName: string,
    render: (view: SignInView) => Page,
  ): Page {
    const { sealed, cookie } = this.#services.forms.seal(
      FORM_KIND,
      state,
      findCookie(request.headers.cookie, FORM_COOKIE),
    );
    reply.header("set-cookie", setCookie(FORM_COOKIE, cookie));
    return render({ applicationName, sealed, message: undefined, formTargets: ["'self'"], action: DEVICE_PATH });
  }
}

interface Step {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function send(reply: FastifyReply, page: Page): FastifyReply {
  return reply.headers(page.headers).send(page.html);
}
