import { type FastifyReply, type FastifyRequest } from "fastify";
import { type IdentityServices } from "../services.ts";
import { type User } from "../users/user.ts";
import { findCookie, SESSION_COOKIE, setCookie } from "./cookies.ts";
import { LONG_LIFETIME_MS, type Session } from "./session-store.ts";

/** A session with the key in the browser's cookie that opens it. */
export interface HeldSession {
  readonly session: Session;
  readonly key: string;
}

/** Accounts signed in beside each other; the oldest makes room. */
const ACCOUNT_LIMIT = 5;
/** Never in a key, which is base64url. */
const SEPARATOR = ".";

/** The sessions of everybody who is signed in in this browser, the latest sign-in first. */
export async function heldSessions(
  services: IdentityServices,
  request: FastifyRequest,
): Promise<readonly HeldSession[]> {
  const keys = findCookie(request.headers.cookie, SESSION_COOKIE)?.split(SEPARATOR, ACCOUNT_LIMIT) ?? [];
  const found = await Promise.all(
    keys.map(async (key) => {
      const session = await services.sessions.find(key);
      return session === undefined ? [] : [{ session, key }];
    }),
  );
  return found.flat();
}

/** The session of the latest sign-in. */
export async function latestSession(services: IdentityServices, request: FastifyRequest): Promise<Session | undefined> {
  return (await heldSessions(services, request))[0]?.session;
}

/**
 * Begins a session and gives the browser its key, beside those of other accounts. A session that the same user had in
 * this browser goes on under a new key: the clients that it was used for stay known. (against session fixation)
 */
export async function beginSession(
  services: IdentityServices,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  user: User,
  methods: readonly string[],
  stays = false,
): Promise<Session> {
  const held = await heldSessions(services, request);
  const before = held.find((each) => each.session.user.id === user.id);
  const { session, key } = await services.sessions.begin(user, methods, stays, before?.session);
  const others = held.filter((each) => each !== before);
  for (const { session: gone } of others.slice(ACCOUNT_LIMIT - 1)) {
    await services.backChannel.end(gone);
  }
  const keys = [key, ...others.slice(0, ACCOUNT_LIMIT - 1).map((each) => each.key)];
  const maxAgeMs = stays ? LONG_LIFETIME_MS : undefined;
  const { sessionSameSite } = services.settings;
  reply.header("set-cookie", setCookie(SESSION_COOKIE, keys.join(SEPARATOR), maxAgeMs, sessionSameSite));
  return session;
}
