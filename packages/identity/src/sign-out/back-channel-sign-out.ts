import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock } from "@trefoil/base";
import { type Application } from "../applications/application.ts";
import { type ApplicationStore } from "../applications/application-store.ts";
import { type AuditLog } from "../audit/audit-log.ts";
import { type Session, type SessionStore } from "../sign-in/session-store.ts";
import { type KeyRing } from "../signing-keys/key-ring.ts";
import { type TenantStore } from "../tenants/tenant-store.ts";
import { signJwt } from "../tokens/compact-jws.ts";
import { issuerOf } from "../tokens/issuer.ts";
import { pairwiseSubject } from "../tokens/pairwise-subject.ts";
import { findBackChannelUrl } from "./back-channel-url.ts";

export interface BackChannelContext {
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly applications: ApplicationStore;
  readonly tenants: TenantStore;
  readonly keys: KeyRing;
  readonly audit: AuditLog;
  /** Waits before the second and each later attempt. */
  readonly retryDelaysMs?: readonly number[];
}

const RETRY_DELAYS_MS = [1_000, 10_000];
const TIMEOUT_MS = 5_000;
const TOKEN_SECONDS = 120;
/** Deliveries under way; a client that hangs must not fill the memory. */
const DELIVERY_LIMIT = 1_000;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

/**
 * Ends sessions and tells the clients they were used for, from server to server, at the addresses they registered.
 * Redirects are not followed, so that a request goes nowhere but there. Users don't wait for deliveries.
 *
 * @source OpenID Connect Back-Channel Logout 1.0 §2.4–2.7
 */
export class BackChannelSignOut {
  readonly #context: BackChannelContext;
  readonly #deliveries = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(context: BackChannelContext) {
    this.#context = context;
  }

  /** Ends a session; its clients are told after it has ended. */
  async end(session: Session): Promise<void> {
    const appIds = await this.#context.sessions.clientsOf(session);
    await this.#context.sessions.end(session);
    for (const appId of appIds) {
      const client = await this.#context.applications.findByAppId(appId);
      const url = client === undefined ? undefined : findBackChannelUrl(client);
      if (client !== undefined && url !== undefined) {
        this.#start(session, client, url);
      }
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#deliveries);
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  #start(session: Session, client: Application, url: string): void {
    const isTooMuch = this.#deliveries.size >= DELIVERY_LIMIT;
    const delivery = (isTooMuch ? Promise.resolve(false) : this.#deliver(session, client, url))
      .then((isTold) => this.#record(session, client, isTold))
      // A record that can't be written must not end the process.
      .catch(() => undefined)
      .finally(() => this.#deliveries.delete(delivery));
    this.#deliveries.add(delivery);
  }

  /** @returns whether the client took it */
  async #deliver(session: Session, client: Application, url: string): Promise<boolean> {
    for (const waitMs of [0, ...(this.#context.retryDelaysMs ?? RETRY_DELAYS_MS)]) {
      try {
        await delay(waitMs, undefined, { signal: this.#closing.signal, ref: false });
        const status = await this.#post(url, await this.#token(session, client));
        if (status < 500) {
          // A refusal stays one however often it is asked for.
          return status === 200 || status === 204;
        }
      } catch {
        if (this.#closing.signal.aborted) {
          return false;
        }
      }
    }
    return false;
  }

  async #post(url: string, token: string): Promise<number> {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ logout_token: token }),
      redirect: "manual",
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  }

  async #token(session: Session, client: Application): Promise<string> {
    const { tenants, keys, clock, publicUrl } = this.#context;
    const tenant = await tenants.find(session.user.tenantId);
    const nowSeconds = Math.floor(clock.now() / 1000);
    const claims = {
      iss: issuerOf(publicUrl(), session.user.tenantId, 2),
      aud: client.appId,
      iat: nowSeconds,
      exp: nowSeconds + TOKEN_SECONDS,
      jti: randomUUID(),
      events: { [LOGOUT_EVENT]: {} },
      sid: session.publicId,
      ...(tenant === undefined ? {} : { sub: pairwiseSubject(tenant, client.appId, session.user.id) }),
    };
    return signJwt(claims, keys.current(), 2, "logout+jwt");
  }

  async #record({ user }: Session, client: Application, isTold: boolean): Promise<void> {
    await this.#context.audit.note({
      category: "sign-in",
      activity: "Back-channel sign-out",
      outcome: isTold ? "success" : "failure",
      tenantId: user.tenantId,
      actor: { kind: "user", id: user.id, name: user.userPrincipalName },
      target: { kind: "application", id: client.id, name: client.displayName },
      clientAppId: client.appId,
    });
  }
}
