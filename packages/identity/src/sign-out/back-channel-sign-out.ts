import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock } from "@trefoil/base";
import { type Application } from "../applications/application.ts";
import { type ApplicationStore } from "../applications/application-store.ts";
import { type AuditLog } from "../audit/audit-log.ts";
import { type Session, type SessionClient, type SessionStore } from "../sign-in/session-store.ts";
import { type KeyRing } from "../signing-keys/key-ring.ts";
import { type TenantStore } from "../tenants/tenant-store.ts";
import { signJwt } from "../tokens/compact-jws.ts";
import { issuerOf } from "../tokens/issuer.ts";
import { pairwiseSubject } from "../tokens/pairwise-subject.ts";
import { type User } from "../users/user.ts";
import { type LogoutDelivery, type LogoutDeliveryStore } from "./logout-delivery-store.ts";

export interface BackChannelContext {
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly deliveries: LogoutDeliveryStore;
  readonly applications: ApplicationStore;
  readonly tenants: TenantStore;
  readonly keys: KeyRing;
  readonly audit: AuditLog;
  /** Waits before the second and each later attempt. */
  readonly retryDelaysMs?: readonly number[];
}

const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000];
const TIMEOUT_MS = 5_000;
const TOKEN_SECONDS = 120;
/** How often deliveries of processes that ended are looked for. */
const LOOK_AROUND_MS = 15_000;
/** Deliveries under way; a client that hangs must not fill the memory. What is above waits in the database. */
const DELIVERY_LIMIT = 1_000;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

/**
 * Ends sessions and tells the clients they were used for, from server to server, at the addresses they registered.
 * Redirects are not followed, so that a request goes nowhere but there. Nobody waits for deliveries; what is not
 * settled stays in the database, and the next process goes on with it. (decisions/0026, 0092)
 *
 * @source OpenID Connect Back-Channel Logout 1.0 §2.4–2.7
 */
export class BackChannelSignOut {
  readonly #context: BackChannelContext;
  readonly #underWay = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(context: BackChannelContext) {
    this.#context = context;
  }

  /** Ends a session; its clients are told after it has ended. */
  async end(session: Session): Promise<void> {
    const { sessions, deliveries } = this.#context;
    const { user, publicId } = session;
    const ended = { tenantId: user.tenantId, userId: user.id, userName: user.userPrincipalName, sessionId: publicId };
    const clients = await this.#tellable(await sessions.clientsOf(session));
    const begun = await deliveries.begin(ended, clients, (transaction) => sessions.end(session, transaction));
    for (const delivery of begun) {
      await this.#start(delivery);
    }
  }

  /** Ends every session of a user: after a new password, by an administrator, or with the account. */
  async endAllOf(user: User): Promise<void> {
    for (const session of await this.#context.sessions.allOf(user)) {
      await this.end(session);
    }
  }

  /** Ends the sessions whose time is over. */
  async endExpired(): Promise<void> {
    for (const session of await this.#context.sessions.expired()) {
      await this.end(session);
    }
  }

  /** Goes on with what other processes left, now and then. */
  watch(): void {
    this.#timer ??= setInterval(() => {
      this.goOn().catch(() => undefined);
    }, LOOK_AROUND_MS).unref();
  }

  /** Takes over the deliveries that nobody is at. */
  async goOn(): Promise<void> {
    for (const delivery of await this.#context.deliveries.takeDue()) {
      await this.#start(delivery);
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Leaves what is under way to the next process. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.settled();
  }

  async #tellable(clients: readonly SessionClient[]): Promise<readonly SessionClient[]> {
    const found = await Promise.all(
      clients.map(async ({ appId }) => await this.#context.applications.findByAppId(appId)),
    );
    return clients.filter((_client, index) => found[index]?.document.backChannelLogoutUrl !== undefined);
  }

  async #start(delivery: LogoutDelivery): Promise<void> {
    if (this.#underWay.size >= DELIVERY_LIMIT || this.#closing.signal.aborted) {
      await this.#context.deliveries.release(delivery);
      return;
    }
    const running = this.#run(delivery)
      // What can't be written down now is found again when it is due.
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
  }

  async #run(delivery: LogoutDelivery): Promise<void> {
    const { applications, deliveries } = this.#context;
    const delays = this.#context.retryDelaysMs ?? RETRY_DELAYS_MS;
    for (let { attempts } = delivery; ; attempts += 1) {
      const client = await applications.findByAppId(delivery.appId);
      const outcome = client === undefined ? "refused" : await this.#attempt(delivery, client);
      if (this.#closing.signal.aborted && outcome !== "taken") {
        return deliveries.release(delivery);
      }
      const waitMs = delays[attempts - 1];
      if (outcome !== "failed" || waitMs === undefined) {
        await this.#record(delivery, client, outcome === "taken");
        return deliveries.settle(delivery);
      }
      await deliveries.postpone(delivery, attempts + 1, waitMs);
      const isClosing = await delay(waitMs, false, { signal: this.#closing.signal, ref: false }).catch(() => true);
      if (isClosing) {
        return deliveries.release(delivery);
      }
    }
  }

  /** A refusal stays one however often it is asked for; a server's failure may pass. */
  async #attempt(delivery: LogoutDelivery, client: Application): Promise<"taken" | "refused" | "failed"> {
    const url = client.document.backChannelLogoutUrl;
    if (url === undefined) {
      return "refused";
    }
    try {
      const status = await this.#post(url, await this.#token(delivery, client));
      return status === 200 || status === 204 ? "taken" : status < 500 ? "refused" : "failed";
    } catch {
      return "failed";
    }
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

  /** From the issuer that the client knows from its id tokens. (OpenID Connect Back-Channel Logout 1.0 §2.6) */
  async #token({ tenantId, userId, sessionId, version }: LogoutDelivery, client: Application): Promise<string> {
    const { tenants, keys, clock, publicUrl } = this.#context;
    const tenant = await tenants.find(tenantId);
    const nowSeconds = Math.floor(clock.now() / 1000);
    const claims = {
      iss: issuerOf(publicUrl(), tenantId, version),
      aud: client.appId,
      iat: nowSeconds,
      exp: nowSeconds + TOKEN_SECONDS,
      jti: randomUUID(),
      events: { [LOGOUT_EVENT]: {} },
      sid: sessionId,
      ...(tenant === undefined ? {} : { sub: pairwiseSubject(tenant, client.appId, userId) }),
    };
    return signJwt(claims, keys.current(), version, "logout+jwt");
  }

  async #record(delivery: LogoutDelivery, client: Application | undefined, isTold: boolean): Promise<void> {
    await this.#context.audit.note({
      category: "sign-in",
      activity: "Back-channel sign-out",
      outcome: isTold ? "success" : "failure",
      tenantId: delivery.tenantId,
      actor: { kind: "user", id: delivery.userId, name: delivery.userName },
      target: { kind: "application", id: client?.id, name: client?.displayName },
      clientAppId: delivery.appId,
    });
  }
}
