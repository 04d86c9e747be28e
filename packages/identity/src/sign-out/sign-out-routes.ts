import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { recordSignOut } from "../audit/record-sign-out.ts";
import { isSameAddress } from "../authorize/find-reply-address.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { CLIENT_ID, ID_TOKEN_HINT, LOGOUT_HINT, POST_LOGOUT_REDIRECT_URI, STATE } from "../protocol/parameters.ts";
import { postedForm, queryForm } from "../protocol/request-text.ts";
import { type IdentityServices } from "../services.ts";
import { heldSessions } from "../sign-in/browser-sessions.ts";
import { clearCookie, SESSION_COOKIE } from "../sign-in/cookies.ts";
import { refuseOnPage } from "../sign-in/refuse-on-page.ts";
import { type Session } from "../sign-in/session-store.ts";
import { resolveTenant } from "../tenants/resolve-tenant.ts";
import { issuerOf } from "../tokens/issuer.ts";
import { findIdTokenHint } from "./id-token-hint.ts";
import { signedOutPage } from "./signed-out-page.ts";

const paths = ["/:tenant/oauth2/logout", "/:tenant/oauth2/v2.0/logout"];

/**
 * Ends the browser's sessions, of every account unless the client names one, and tells each client they were used for, by a hidden frame and from
 * server to server; then the browser may go back to the client that asked. (OpenID Connect RP-Initiated Logout,
 * Front-Channel Logout, Back-Channel Logout; reference §9.6)
 */
export function registerSignOutRoutes(app: FastifyInstance, services: IdentityServices): void {
  for (const path of paths) {
    app.get(path, (request: WithTenant, reply) => signOut(services, request, reply, queryForm));
    app.post(path, (request: WithTenant, reply) => signOut(services, request, reply, postedForm));
  }
}

type WithTenant = FastifyRequest<{ Params: { tenant: string } }>;

async function signOut(
  services: IdentityServices,
  request: WithTenant,
  reply: FastifyReply,
  readForm: (request: FastifyRequest) => FormBody,
): Promise<FastifyReply> {
  let form: FormBody;
  try {
    await resolveTenant(services.tenants, request.params.tenant);
    form = readForm(request);
  } catch (error) {
    if (error instanceof IdentityError) {
      return refuseOnPage(services, request, reply, error);
    }
    throw error;
  }
  const held = (await heldSessions(services, request)).map((each) => each.session);
  const sessions = meantSessions(held, form.find(LOGOUT_HINT));
  const frames = (await Promise.all(sessions.map((session) => framesOf(services, session)))).flat();
  const next = await findNext(services, sessions, form);
  for (const session of sessions) {
    await services.backChannel.end(session);
  }
  await recordSignOut(services, request, sessions);
  if (sessions.length === held.length) {
    reply.header("set-cookie", clearCookie(SESSION_COOKIE, services.settings.sessionSameSite));
  }
  if (next !== undefined && frames.length === 0) {
    return reply.header("cache-control", "no-store").redirect(next, 302);
  }
  const page = signedOutPage(frames, next);
  return reply.headers(page.headers).send(page.html);
}

/**
 * Those of the account that a client names: by its sign-in name, as the `login_hint` claim has it, or by `sid`. All when
 * it names none, or none of this browser: who signs out must not stay signed in by a mistake. (OpenID Connect
 * RP-Initiated Logout §2; decisions/0024)
 */
function meantSessions(held: readonly Session[], hint: string | undefined): readonly Session[] {
  const wanted = hint?.toLowerCase();
  const meant = held.filter(
    ({ user, publicId }) => wanted === user.userPrincipalName.toLowerCase() || wanted === publicId,
  );
  return meant.length === 0 ? held : meant;
}

/** The addresses that clients registered to be told at, with whose session it was and the issuer they know. */
async function framesOf(services: IdentityServices, session: Session): Promise<readonly string[]> {
  const frames: string[] = [];
  for (const { appId, version } of await services.sessions.clientsOf(session)) {
    const logoutUrl = (await services.applications.findByAppId(appId))?.document.logoutUrl;
    if (logoutUrl !== undefined && URL.canParse(logoutUrl)) {
      const url = new URL(logoutUrl);
      url.searchParams.set("sid", session.publicId);
      url.searchParams.set("iss", issuerOf(services.settings.publicUrl, session.user.tenantId, version));
      frames.push(url.href);
    }
  }
  return frames;
}

/**
 * Where the browser goes afterwards: only to an address that the asking client registered, or without a named client
 * one that a client of this very session did. Anything else would make the provider an open redirector.
 */
async function findNext(
  services: IdentityServices,
  sessions: readonly Session[],
  form: FormBody,
): Promise<string | undefined> {
  const wanted = form.find(POST_LOGOUT_REDIRECT_URI);
  if (wanted === undefined) {
    return undefined;
  }
  const hinted = findIdTokenHint(services.keys, form.find(ID_TOKEN_HINT))?.clientAppId;
  const named = form.find(CLIENT_ID) ?? hinted;
  if (hinted !== undefined && named !== hinted) {
    // RP-Initiated Logout §2: a client that names itself must be the one its id token was made for.
    return undefined;
  }
  const candidates =
    named === undefined
      ? (await Promise.all(sessions.map((session) => services.sessions.clientsOf(session)))).flat()
      : [{ appId: named }];
  for (const { appId } of candidates) {
    const client = await services.applications.findByAppId(appId);
    if (client?.document.redirectUris.some((each) => isSameAddress(each.uri, wanted)) === true) {
      return withState(wanted, form.find(STATE));
    }
  }
  return undefined;
}

function withState(address: string, state: string | undefined): string {
  if (state === undefined) {
    return address;
  }
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams({ state }).toString()}`;
}
