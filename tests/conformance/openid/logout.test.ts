import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestBrowser } from "../../../packages/identity/src/testing/test-browser.ts";
import { type Parameters, parametersOf, RelyingParty, REPLY_ADDRESS, STATE } from "./relying-party.ts";

/** The modules of the RP-initiated logout plan, from the specification. */

let party: RelyingParty;
let browser: TestBrowser;
let idToken: string;
let foreignIdToken: string;
beforeAll(async () => {
  party = await RelyingParty.start();
  const request = {
    response_type: "id_token",
    client_id: party.other.appId,
    redirect_uri: "https://other.contoso.example/back",
  };
  foreignIdToken = (await party.signIn(request)).get("id_token") ?? "";
});
afterAll(() => party.stop());
beforeEach(async () => {
  browser = party.newBrowser();
  idToken = (await party.signIn({ response_type: "id_token" }, browser)).get("id_token") ?? "";
});

const path = (): string => `/${party.provider.tenant.id}/oauth2/v2.0/logout`;
const logout = (query: Parameters) => browser.get(`${path()}?${new URLSearchParams(query).toString()}`);
const isSignedIn = async (): Promise<boolean> =>
  parametersOf(await browser.get(party.authorizeUrl({ prompt: "none" }))).has("code");

test("hint, address and state: back at the client with its state, signed out (§2, §3)", async () => {
  expect(await isSignedIn()).toBe(true);
  const query = { id_token_hint: idToken, post_logout_redirect_uri: REPLY_ADDRESS, state: STATE };
  expect((await logout(query)).location).toBe(`${REPLY_ADDRESS}?state=${STATE}`);
  expect(await isSignedIn()).toBe(false);
});

test("the same by POST (§2)", async () => {
  const view = await browser.post(path(), { id_token_hint: idToken, post_logout_redirect_uri: REPLY_ADDRESS });
  expect(view.location).toBe(REPLY_ADDRESS);
});

test("an id token that has expired is hint enough (§2)", async () => {
  party.provider.clock.advance(26 * 3_600_000);
  const query = { id_token_hint: idToken, post_logout_redirect_uri: REPLY_ADDRESS };
  expect((await logout(query)).location).toBe(REPLY_ADDRESS);
});

const refused: readonly (readonly [string, () => Parameters])[] = [
  ["nothing is said", () => ({})],
  ["the address isn't registered", () => ({ id_token_hint: idToken, post_logout_redirect_uri: `${REPLY_ADDRESS}/x` })],
  ["a query was added", () => ({ id_token_hint: idToken, post_logout_redirect_uri: `${REPLY_ADDRESS}?x=1` })],
  [
    "client_id and hint differ",
    () => ({
      id_token_hint: foreignIdToken,
      client_id: party.web.appId,
      post_logout_redirect_uri: REPLY_ADDRESS,
    }),
  ],
  ["the hint is another client's", () => ({ id_token_hint: foreignIdToken, post_logout_redirect_uri: REPLY_ADDRESS })],
  ["the client is unknown", () => ({ client_id: "unknown", post_logout_redirect_uri: REPLY_ADDRESS })],
];
test.each(refused)("a page and no redirect when %s; signed out all the same (§2, §3)", async (_what, query) => {
  const view = await logout(query());
  expect([view.status, view.location]).toEqual([200, undefined]);
  expect(await isSignedIn()).toBe(false);
});
