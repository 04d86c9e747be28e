import { afterAll, beforeAll, expect, test } from "vitest";
import { type Application, type GroupMembershipClaims } from "../applications/application.ts";
import { TestBrowser } from "../testing/test-browser.ts";
import { claimsOf, DOMAIN, PASSWORD, TestProvider } from "../testing/test-provider.ts";

const root = `root@${DOMAIN}`;
const ADMINISTRATOR = "62e90394-69f5-4237-9190-012177145e10";
const BACK = "https://web.contoso.example/back";

let provider: TestProvider;
let web: Application;
let groups: string[];

beforeAll(async () => {
  provider = await TestProvider.start();
  await provider.services.users.create(provider.tenant, {
    userPrincipalName: root,
    displayName: "Root",
    mail: "root@mail.example",
    password: PASSWORD,
    roles: ["Administrator"],
  });
  web = await provider.createApplication("web", {
    isPublic: true,
    redirectUris: [{ uri: BACK, type: "web" }],
    issuesIdTokensImplicitly: true,
  });
  const { body: user } = await provider.manage("GET", `/users/${root}`);
  groups = [];
  for (let index = 0; index < 7; index += 1) {
    const { body } = await provider.manage("POST", "/groups", { displayName: `g${index}`, mailNickname: `g${index}` });
    groups.push(String(body["id"]));
    await provider.manage("POST", `/groups/${String(body["id"])}/members/$ref`, {
      "@odata.id": `https://localhost:8443/v1.0/directoryObjects/${String(user["id"])}`,
    });
  }
});
afterAll(() => provider.stop());

const wants = (groupMembershipClaims: GroupMembershipClaims) =>
  provider.services.applications.update(web, { document: { groupMembershipClaims } });
const back = async () => {
  const { body } = await provider.token(1, {
    grant_type: "password",
    username: root,
    password: PASSWORD,
    resource: web.appId,
    client_id: web.appId,
  });
  return { access: claimsOf(body["access_token"]), id: claimsOf(body["id_token"]) };
};

test.each<[GroupMembershipClaims, boolean, boolean]>([
  ["None", false, false],
  ["SecurityGroup", true, false],
  ["DirectoryRole", false, true],
  ["All", true, true],
])("groupMembershipClaims %s: groups %s, wids %s", async (word, hasGroups, hasRoles) => {
  await wants(word);
  for (const claims of Object.values(await back())) {
    expect(claims["wids"]).toEqual(hasRoles ? [ADMINISTRATOR] : undefined);
    expect([...((claims["groups"] as string[] | undefined) ?? [])].sort()).toEqual(hasGroups ? [...groups].sort() : []);
  }
});

test("in the browser's address more than six groups are only said to be there", async () => {
  await wants("SecurityGroup");
  const query = new URLSearchParams({
    client_id: web.appId,
    redirect_uri: BACK,
    response_type: "id_token",
    nonce: "n",
  });
  const answer = await new TestBrowser(provider).signIn(`/common/oauth2/authorize?${query.toString()}`, root);
  const claims = claimsOf(new URLSearchParams(new URL(answer.location ?? "").hash.slice(1)).get("id_token"));
  expect(claims["hasgroups"]).toBe(true);
  expect(claims).not.toHaveProperty("groups");
});

test("optional claims of the manifest, as far as the directory knows them", async () => {
  const claim = (name: string) => ({ name, source: null, essential: false, additionalProperties: [] });
  const names = ["acct", "auth_time", "email", "idtyp", "ipaddr", "login_hint", "preferred_username", "sid", "no_such"];
  await provider.services.applications.update(web, {
    document: {
      groupMembershipClaims: "None",
      optionalClaims: { idToken: names.map(claim), accessToken: names.map(claim), saml2Token: [] },
    },
  });
  for (const claims of Object.values(await back())) {
    expect(claims).toMatchObject({
      acct: 0,
      auth_time: Math.floor(provider.clock.now() / 1000),
      email: "root@mail.example",
      idtyp: "user",
      ipaddr: "127.0.0.1",
      login_hint: root,
      preferred_username: root,
    });
    expect(claims).not.toHaveProperty("no_such");
    expect(claims).not.toHaveProperty("sid");
  }
});
