import { signal, type ReadonlySignal } from "@preact/signals";
import { changePassword, signIn } from "../server/accounts.ts";
import { basicAuthorization, type GraphServer } from "../server/graph-server.ts";
import { readServerSettings, type ServerSettings } from "../server/server-settings.ts";

export type SessionState =
  | { readonly kind: "starting" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "signed out"; readonly message?: string }
  | { readonly kind: "password change required"; readonly user: string }
  | { readonly kind: "ready"; readonly user: string | undefined };

/** Where credentials outlive a reload when the user wants it: the tab's own storage. */
export interface TabStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

const KEPT = "trefoil.graph.credentials";

/**
 * Who is signed in. Credentials live in this page's memory; only if asked to does the tab keep them, until it is closed
 * or the user signs out (decisions/0151).
 */
export class Session {
  readonly #server: GraphServer;
  readonly #tab: TabStorage;
  readonly #state = signal<SessionState>({ kind: "starting" });
  readonly #settings = signal<ServerSettings>({ mode: "modern", asksForCredentials: true, version: "" });
  #isKept = false;

  constructor(server: GraphServer, tab: TabStorage) {
    this.#server = server;
    this.#tab = tab;
    server.onUnauthorized = () => this.signOut("Please sign in again.");
  }

  get state(): ReadonlySignal<SessionState> {
    return this.#state;
  }

  get settings(): ReadonlySignal<ServerSettings> {
    return this.#settings;
  }

  get user(): string | undefined {
    const state = this.#state.value;
    return state.kind === "ready" ? state.user : undefined;
  }

  async start(): Promise<void> {
    try {
      this.#settings.value = await readServerSettings(this.#server);
    } catch {
      this.#state.value = { kind: "unreachable" };
      return;
    }
    if (!this.#settings.value.asksForCredentials) {
      this.#state.value = { kind: "ready", user: undefined };
      return;
    }
    const kept = this.#findKept();
    if (kept === undefined || (await this.signIn(kept.user, kept.password, true)) !== undefined) {
      this.#forget();
      this.#state.value = { kind: "signed out" };
    }
  }

  /** The message of a refusal, or nothing when it went well. */
  async signIn(user: string, password: string, isKept: boolean): Promise<string | undefined> {
    const outcome = await signIn(this.#server, user, password);
    if (outcome.kind === "refused") {
      return outcome.message;
    }
    this.#isKept = isKept;
    this.#keep(user, password);
    this.#state.value =
      outcome.kind === "signed in" ? { kind: "ready", user } : { kind: "password change required", user };
    return undefined;
  }

  /** The message of a refusal, or nothing when the new password is in force. */
  async changePassword(user: string, current: string | undefined, password: string): Promise<string | undefined> {
    // Whoever sits at an open console must know the password to change it.
    if (current !== undefined && this.#server.authorization !== basicAuthorization(user, current)) {
      return "The present password is another one.";
    }
    const refusal = await changePassword(this.#server, user, password);
    if (refusal === undefined) {
      this.#keep(user, password);
      this.#state.value = { kind: "ready", user };
    }
    return refusal;
  }

  signOut(message?: string): void {
    this.#forget();
    this.#server.authorization = undefined;
    this.#state.value = message === undefined ? { kind: "signed out" } : { kind: "signed out", message };
  }

  #keep(user: string, password: string): void {
    if (this.#isKept) {
      this.#tab.setItem(KEPT, JSON.stringify({ user, password }));
    }
  }

  #forget(): void {
    this.#tab.removeItem(KEPT);
  }

  #findKept(): { readonly user: string; readonly password: string } | undefined {
    try {
      const { user, password } = JSON.parse(this.#tab.getItem(KEPT) ?? "{}") as Record<string, unknown>;
      return typeof user === "string" && typeof password === "string" ? { user, password } : undefined;
    } catch {
      return undefined;
    }
  }
}
