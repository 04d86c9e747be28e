import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type TokenProfile } from "../grants/token-profile.ts";
import { v1Profile } from "../grants/v1-profile.ts";
import { v2Profile } from "../grants/v2-profile.ts";
import { errorBody } from "../protocol/error-response.ts";
import { type Exchange } from "../protocol/exchange.ts";
import { type FormBody, parseFormBody } from "../protocol/form-body.ts";
import { exchangeOf } from "../protocol/http-protocol.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { refuseOtherMethods } from "../protocol/refuse-other-methods.ts";
import { type IdentityServices } from "../services.ts";
import { clearCookie, findCookie, FORM_COOKIE, SESSION_COOKIE, setCookie } from "../sign-in/cookies.ts";
import { type Page } from "../sign-in/page.ts";
import {
  errorPage,
  formTarget,
  newPasswordPage,
  SIGN_IN_PATH,
  signedOutPage,
  signInPage,
  type SignInView,
} from "../sign-in/pages.ts";
import { type FormState } from "../sign-in/sealed-form.ts";
import { type Session } from "../sign-in/session-store.ts";
import { submitSignIn } from "../sign-in/submit-sign-in.ts";
import { type AuthorizeRequest } from "./authorize-request.ts";
import { deliver, type Delivery } from "./deliver.ts";
import { issueAuthorization } from "./issue-authorization.ts";
import { DeliverableError, readAuthorizeRequest } from "./read-authorize-request.ts";

/** Whether a request came over TLS, as the composition root knows. */
export type IsSecure = (request: FastifyRequest) => boolean;

const endpoints: readonly { readonly path: string; readonly profile: TokenProfile }[] = [
  { path: "/:tenant/oauth2/authorize", profile: v1Profile },
  { path: "/:tenant/oauth2/v2.0/authorize", profile: v2Profile },
];
const logoutPaths = ["/:tenant/oauth2/logout", "/:tenant/oauth2/v2.0/logout"];

type WithTenant = FastifyRequest<{ Params: { tenant: string } }>;

/** Serves both authorize endpoints, the form they lead to, and sign-out. (identity §4.2, §4.3; reference §7) */
export function registerAuthorizeRoutes(app: FastifyInstance, services: IdentityServices, isSecure: IsSecure): void {
  const flow = new AuthorizeFlow(services);
  // Passwords and session cookies travel over TLS only: what comes plain is sent to the public address.
  app.register((scope, _options, done) => {
    scope.addHook("onRequest", async (request, reply) => {
      if (!isSecure(request)) {
        return reply.redirect(services.settings.publicUrl + request.raw.url, 307);
      }
      return undefined;
    });
    for (const { path, profile } of endpoints) {
      scope.get(path, (request: WithTenant, reply) => flow.authorize(request, reply, profile, queryOf(request)));
      scope.post(path, (request: WithTenant, reply) =>
        flow.authorize(request, reply, profile, typeof request.body === "string" ? request.body : ""),
      );
      refuseOtherMethods(scope, path, ["GET", "HEAD", "POST"]);
    }
    scope.post(SIGN_IN_PATH, (request, reply) => flow.submit(request, reply));
    for (const path of logoutPaths) {
      scope.get(path, (request, reply) => flow.signOut(request, reply));
    }
    done();
  });
}

function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? "";
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

/** The way from an authorize request to its answer, over as many pages as it takes. */
class AuthorizeFlow {
  readonly #services: IdentityServices;

  constructor(services: IdentityServices) {
    this.#services = services;
  }

  /** A request as it comes from a client's redirect. */
  async authorize(
    request: WithTenant,
    reply: FastifyReply,
    profile: TokenProfile,
    parameters: string,
  ): Promise<FastifyReply> {
    const { tenant: tenantSegment } = request.params;
    const state: FormState = { parameters, tenantSegment, version: profile.version };
    return this.#answering(request, reply, async () => {
      const authorizeRequest = await this.#read(state, request.headers["content-type"]);
      return telling(authorizeRequest, async () => {
        const session = await this.#findSession(request, authorizeRequest);
        if (session !== undefined) {
          return deliver(authorizeRequest, await issueAuthorization(this.#services, authorizeRequest, session));
        }
        if (authorizeRequest.prompts.has("none")) {
          throw new IdentityError(50058);
        }
        return this.#page(request, reply, authorizeRequest, state, (view) =>
          signInPage(view, authorizeRequest.loginHint ?? ""),
        );
      });
    });
  }

  /** The form of one of our own pages. */
  async submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const body = typeof request.body === "string" ? request.body : "";
    return this.#answering(request, reply, async () => {
      const form = parseFormBody(request.headers["content-type"], body);
      const cookie = findCookie(request.headers.cookie, FORM_COOKIE);
      const state = this.#services.forms.open(form.find("form"), cookie);
      if (state === undefined) {
        throw new IdentityError(90013, { reason: "the form is too old or was opened in another browser; start again" });
      }
      const authorizeRequest = await this.#read(state, undefined);
      return telling(authorizeRequest, () => this.#goOn(request, reply, authorizeRequest, state, form));
    });
  }

  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await this.#services.sessions.end(findCookie(request.headers.cookie, SESSION_COOKIE));
    reply.header("set-cookie", clearCookie(SESSION_COOKIE));
    return send(reply, { kind: "page", page: signedOutPage() });
  }

  /** What a form leads to: the next page, or the answer. */
  async #goOn(
    request: FastifyRequest,
    reply: FastifyReply,
    authorizeRequest: AuthorizeRequest,
    state: FormState,
    form: FormBody,
  ): Promise<Delivery> {
    const outcome = await submitSignIn(this.#services, authorizeRequest.tenantChoice, state, form);
    switch (outcome.kind) {
      case "wrong":
        return this.#page(request, reply, authorizeRequest, state, (view) =>
          signInPage({ ...view, message: outcome.message }, form.find("username") ?? ""),
        );
      case "new password": {
        const next: FormState = { ...state, passwordOf: outcome.passwordOf };
        return this.#page(request, reply, authorizeRequest, next, (view) =>
          newPasswordPage({ ...view, message: outcome.message }),
        );
      }
      case "signed in": {
        const { session, key } = await this.#services.sessions.begin(outcome.user, outcome.methods);
        const answer = await issueAuthorization(this.#services, authorizeRequest, session);
        reply.header("set-cookie", setCookie(SESSION_COOKIE, key));
        return deliver(authorizeRequest, answer);
      }
    }
  }

  #read(state: FormState, contentType: string | undefined): Promise<AuthorizeRequest> {
    const type = contentType ?? "application/x-www-form-urlencoded";
    const profile = state.version === 1 ? v1Profile : v2Profile;
    return readAuthorizeRequest(this.#services, profile, state.tenantSegment, parseFormBody(type, state.parameters));
  }

  /** The browser's session, if it may answer this request. (reference §7.6) */
  async #findSession(request: FastifyRequest, authorizeRequest: AuthorizeRequest): Promise<Session | undefined> {
    const { prompts, maxAgeSeconds, tenantChoice, loginHint } = authorizeRequest;
    if (prompts.has("login") || prompts.has("select_account")) {
      return undefined;
    }
    const session = await this.#services.sessions.find(findCookie(request.headers.cookie, SESSION_COOKIE));
    if (session === undefined) {
      return undefined;
    }
    const ageMs = this.#services.clock.now() - session.authenticatedAtMs;
    const isFresh = maxAgeSeconds === undefined || ageMs <= maxAgeSeconds * 1000;
    const isOfTenant = tenantChoice.kind === "any" || tenantChoice.tenant.id === session.user.tenantId;
    const isHinted =
      loginHint === undefined || loginHint.toLowerCase() === session.user.userPrincipalName.toLowerCase();
    return isFresh && isOfTenant && isHinted ? session : undefined;
  }

  #page(
    request: FastifyRequest,
    reply: FastifyReply,
    authorizeRequest: AuthorizeRequest,
    state: FormState,
    render: (view: SignInView) => Page,
  ): Delivery {
    const { sealed, cookie } = this.#services.forms.seal(state, findCookie(request.headers.cookie, FORM_COOKIE));
    reply.header("set-cookie", setCookie(FORM_COOKIE, cookie));
    const page = render({
      applicationName: authorizeRequest.application.displayName,
      sealed,
      message: undefined,
      formTargets: ["'self'", formTarget(authorizeRequest.redirectUri)],
    });
    return { kind: "page", page };
  }

  /** Sends what a step comes to; refusals go to the client when its address is known to be good, else on a page. */
  async #answering(request: FastifyRequest, reply: FastifyReply, step: () => Promise<Delivery>): Promise<FastifyReply> {
    try {
      return send(reply, await step());
    } catch (thrown) {
      const exchange = exchangeOf(request);
      if (thrown instanceof DeliverableError) {
        return send(reply, deliver(thrown.reply, this.#errorParameters(thrown.error, exchange)));
      }
      if (!(thrown instanceof IdentityError)) {
        throw thrown;
      }
      const { status, ...page } = errorPage(thrown, exchange, this.#services.clock.now(), this.#services.settings);
      return send(reply.status(status), { kind: "page", page });
    }
  }

  #errorParameters(error: IdentityError, exchange: Exchange): Readonly<Record<string, string>> {
    const body = errorBody(error, exchange, this.#services.clock.now(), this.#services.settings);
    return { error: body.error, error_description: body.error_description, error_uri: body.error_uri };
  }
}

/** From here on the client may be told what goes wrong. */
async function telling(reply: AuthorizeRequest, step: () => Promise<Delivery>): Promise<Delivery> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof IdentityError ? new DeliverableError(error, reply) : error;
  }
}

function send(reply: FastifyReply, delivery: Delivery): FastifyReply {
  if (delivery.kind === "redirect") {
    return reply.header("cache-control", "no-store").redirect(delivery.location, 302);
  }
  return reply.headers(delivery.page.headers).send(delivery.page.html);
}
