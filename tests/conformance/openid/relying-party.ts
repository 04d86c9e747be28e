import { createHash } from "node:crypto";
import { type Application } from "../../../packages/identity/src/applications/application.ts";
import { TestBrowser, type View } from "../../../packages/identity/src/testing/test-browser.ts";
import { type Answer, TestProvider } from "../../../packages/identity/src/testing/test-provider.ts";

export const REPLY_ADDRESS = "https://web.contoso.example/back";
/** A registered address that has a query of its own, which answers keep. */
export const REPLY_ADDRESS_WITH_QUERY = "https://web.contoso.example/back?kept=1";
export const PUBLIC_REPLY_ADDRESS = "http://localhost:4711/";
export const RESOURCE = "https://api.contoso.example";
export const STATE = "state-6a0f1d3c";
export const NONCE = "nonce-b3f1c0de";
export const VERIFIER = "v".repeat(43);
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export type Parameters = Readonly<Record<string, string>>;

/** A provider with clients of each kind and two users, and the requests that a relying party makes of it. */
export class RelyingParty {
  readonly provider: TestProvider;
  readonly web: Application;
  readonly other: Application;
  readonly public: Application;
  readonly alice: string;
  readonly bob: string;

  private constructor(provider: TestProvider, clients: readonly Application[], users: readonly string[]) {
    const [web, other, publicClient] = clients;
    const [alice, bob] = users;
    if (!web || !other || !publicClient || alice === undefined || bob === undefined) {
      throw new Error("three clients and two users are needed");
    }
    this.provider = provider;
    this.web = web;
    this.other = other;
    this.public = publicClient;
    this.alice = alice;
    this.bob = bob;
  }

  static async start(): Promise<RelyingParty> {
    const provider = await TestProvider.start();
    await provider.createApplication("api", {}, [RESOURCE]);
    const implicit = { issuesIdTokensImplicitly: true, issuesAccessTokensImplicitly: true };
    const web = await provider.createConfidential("web", {
      ...implicit,
      redirectUris: [
        { uri: REPLY_ADDRESS, type: "web" },
        { uri: REPLY_ADDRESS_WITH_QUERY, type: "web" },
      ],
    });
    const other = await provider.createConfidential("other", {
      ...implicit,
      redirectUris: [{ uri: "https://other.contoso.example/back", type: "web" }],
    });
    const publicClient = await provider.createApplication("public", {
      isPublic: true,
      redirectUris: [{ uri: PUBLIC_REPLY_ADDRESS, type: "public" }],
    });
    const users = [await provider.createUser("alice"), await provider.createUser("bob")];
    return new RelyingParty(provider, [web, other, publicClient], users);
  }

  stop(): Promise<void> {
    return this.provider.stop();
  }

  newBrowser(): TestBrowser {
    return new TestBrowser(this.provider);
  }

  /** The address of a v2.0 authorize request; an empty value leaves a parameter out. */
  authorizeUrl(more: Parameters = {}): string {
    const all = {
      client_id: this.web.appId,
      redirect_uri: REPLY_ADDRESS,
      response_type: "code",
      scope: "openid",
      state: STATE,
      nonce: NONCE,
      ...more,
    };
    const given = Object.entries(all).filter(([, value]) => value !== "");
    return `/${this.provider.tenant.id}/oauth2/v2.0/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** What a fresh browser brings home after a sign-in. */
  async signIn(more: Parameters = {}, browser: TestBrowser = this.newBrowser()): Promise<URLSearchParams> {
    return parametersOf(await browser.signIn(this.authorizeUrl(more), this.alice));
  }

  async newCode(more: Parameters = {}, browser?: TestBrowser): Promise<string> {
    return (await this.signIn(more, browser)).get("code") ?? "";
  }

  /** Redeems a code at the v2.0 token endpoint as the client `web`. */
  redeem(code: string, more: Parameters = {}): Promise<Answer> {
    const all = {
      grant_type: "authorization_code",
      code,
      client_id: this.web.appId,
      client_secret: "secret of web",
      redirect_uri: REPLY_ADDRESS,
      ...more,
    };
    return this.provider.token(2, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")));
  }

  refresh(token: unknown, more: Parameters = {}): Promise<Answer> {
    return this.provider.token(2, { grant_type: "refresh_token", refresh_token: String(token), ...more });
  }

  userInfo(token: unknown): Promise<Answer> {
    return this.provider.get("/oidc/userinfo", { authorization: `Bearer ${String(token)}` });
  }

  discovery(): Promise<Answer> {
    return this.provider.get(`/${this.provider.tenant.id}/v2.0/.well-known/openid-configuration`);
  }
}

/** The answer's parameters, wherever the response mode put them. */
export function parametersOf(view: View): URLSearchParams {
  if (view.location === undefined) {
    return new URLSearchParams(view.fields);
  }
  const url = new URL(view.location);
  return url.hash === "" ? url.searchParams : new URLSearchParams(url.hash.slice(1));
}

/** `c_hash` and `at_hash`. (OpenID Connect Core §3.3.2.11) */
export function halfHash(value: string): string {
  return createHash("sha256").update(value, "ascii").digest().subarray(0, 16).toString("base64url");
}
