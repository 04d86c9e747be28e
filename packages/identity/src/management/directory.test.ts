import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DIRECTORY_ACCESS, DIRECTORY_APP_ID, directoryResource } from "../applications/directory-resource.ts";
import { ADMINISTRATOR } from "../users/user.ts";
import { principalBlank } from "./management-json.ts";
import { ADMIN_TOKEN, type Answer, DOMAIN, PASSWORD, PUBLIC_URL, TestProvider } from "../testing/test-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await TestProvider.start();
});
afterAll(() => provider.stop());

type Entity = Record<string, string>;
const get = (path: string) => provider.manage("GET", path);
const post = (path: string, body?: object) => provider.manage("POST", path, body);
const valuesOf = (answer: Answer) => answer.body["value"] as Entity[];
const make = async (path: string, body: object) => (await post(path, body)).body as Entity;
const reference = (id: string | undefined) => ({ "@odata.id": `${PUBLIC_URL}/v1.0/directoryObjects/${id}` });
const principalOf = async (appId: string) => (await get(`/servicePrincipals/${appId}`)).body as Entity;

describe("lists", () => {
  beforeAll(async () => {
    for (const name of ["anna", "bert", "carl", "dora", "emil"]) {
      await post("/users", { userPrincipalName: `${name}@${DOMAIN}`, displayName: name.toUpperCase() });
    }
  });
  const names = (answer: Answer) => valuesOf(answer).map((each) => each["displayName"]);

  test("come in pages that lead on to each other", async () => {
    const first = await get("/users?$top=2&$select=displayName&$count=true");
    expect(first.body).toMatchObject({ "@odata.count": 5, value: [{ displayName: "ANNA" }, { displayName: "BERT" }] });
    const seen: unknown[] = [];
    let next: unknown = "/v1.0/users?$top=2&$select=displayName";
    while (typeof next === "string") {
      const page = await get(next.replace(PUBLIC_URL, "").slice("/v1.0".length));
      seen.push(...valuesOf(page));
      next = page.body["@odata.nextLink"];
      expect(next ?? PUBLIC_URL).toMatch(/^https:\/\/localhost:8443/);
    }
    expect(seen).toEqual(["ANNA", "BERT", "CARL", "DORA", "EMIL"].map((displayName) => ({ displayName })));
  });

  test("are filtered, sorted and counted", async () => {
    expect(names(await get("/users?$filter=startswith(displayName,'c') or displayName eq 'dora'"))).toEqual([
      "CARL",
      "DORA",
    ]);
    expect(names(await get(`/users?$filter=userPrincipalName eq 'EMIL@${DOMAIN}'`))).toEqual(["EMIL"]);
    expect(names(await get("/users?$orderby=displayName desc&$top=2"))).toEqual(["EMIL", "DORA"]);
    const sorted = await get("/users?$orderby=displayName desc&$top=2");
    const next = String(sorted.body["@odata.nextLink"]).slice(`${PUBLIC_URL}/v1.0`.length);
    expect(names(await get(next))).toEqual(["CARL", "BERT"]);
    const count = await provider.app.inject({
      method: "GET",
      url: "/v1.0/users/$count?$filter=endswith(displayName,'A')",
      headers: { authorization: "Bearer test-administrator" },
    });
    expect([count.headers["content-type"], count.body]).toEqual([expect.stringContaining("text/plain"), "2"]);
  });

  test("are sorted by several properties and searched", async () => {
    const sorted = await get("/users?$orderby=accountEnabled desc, displayName asc&$top=2");
    expect(names(sorted)).toEqual(["ANNA", "BERT"]);
    expect(names(await get('/users?$search="displayName:ER"'))).toEqual(["BERT"]);
    const either = '"displayName:ar" OR "userPrincipalName:emil" AND "displayName:e"';
    expect(names(await get(`/users?$search=${encodeURIComponent(either)}`))).toEqual(["CARL", "EMIL"]);
    const both = "/users?$search=\"displayName:a\"&$filter=startswith(displayName,'A')&$count=true";
    expect((await get(both)).body).toMatchObject({ "@odata.count": 1, value: [{ displayName: "ANNA" }] });
  });

  test.each([
    "$top=0",
    "$top=1000",
    "$top=x",
    "$filter=x",
    "$filter=nothing eq 1",
    "$expand=x",
    "$skiptoken=x",
    // `[]`, and a name where a position belongs
    "$skiptoken=W10",
    "$orderby=displayName&$skiptoken=WyJ4Il0",
    "$orderby=displayName,",
    "$select=",
    "$select=id,,mail",
    "$filter=accountEnabled eq 'true'",
    "$filter=userPrincipalName eq 'nobody' and accountEnabled eq 1",
    '$search="anna"',
    "$search=displayName:anna",
    '$search="displayName:anna" "displayName:bert"',
    '$search="nothing:anna"',
    "$count=y",
    "$orderby=nothing",
    "$select=displayName,nothing",
    "$select=nothing&$filter=displayName eq 'nobody'",
  ])("%s is refused", async (query) => {
    const { status, body } = await get(`/users?${query}`);
    expect(status).toBe(400);
    expect(body["error"]).toMatchObject({
      code: "Request_UnsupportedQuery",
      innerError: { date: expect.any(String), "request-id": expect.any(String) },
    });
  });
});

test("an application is found by its alternate key", async () => {
  const { id, appId } = await make("/applications", { displayName: "alternate" });
  for (const key of [`(appId='${appId}')`, `(appId=%27${appId}%27)`, `%28appId%3D'${appId}'%29`, `('${id}')`]) {
    expect((await get(`/applications${key}?$select=id`)).body).toMatchObject({ id });
    expect((await get(`/applications${key}?$select=id,mail`)).body).toMatchObject({
      error: { code: "Request_UnsupportedQuery", message: "There is no property 'mail' to select" },
    });
    expect((await provider.manage("POST", `/applications${key}/addPassword`, {})).status).toBe(200);
  }
  expect(valuesOf(await get(`/applications?$filter=appId eq '${appId}'`)).map((each) => each["id"])).toEqual([id]);
});

describe("groups", () => {
  test("are made with members, shown, changed and deleted", async () => {
    const user = await make("/users", { userPrincipalName: `member@${DOMAIN}` });
    const group = await make("/groups", {
      displayName: "team",
      "members@odata.bind": [reference(user["id"])["@odata.id"]],
    });
    expect(group).toMatchObject({ displayName: "team", mailEnabled: false, securityEnabled: true });
    expect(valuesOf(await get("/groups/team/members"))).toEqual([{ "@odata.type": "#microsoft.graph.user", ...user }]);
    await provider.manage("PATCH", `/groups/${group["id"]}`, { description: "the team" });
    expect((await get(`/groups/${group["id"]}`)).body).toMatchObject({ description: "the team" });
    await provider.manage("PATCH", `/groups/${group["id"]}`, { description: null });
    expect((await get(`/groups/${group["id"]}`)).body).toMatchObject({ description: null });
    expect((await provider.manage("PATCH", `/groups/${group["id"]}`, { displayName: "" })).status).toBe(400);
    expect(valuesOf(await get(`/users/${user["id"]}/memberOf`))).toMatchObject([{ displayName: "team" }]);
    const ref = `/groups/${group["id"]}/members/${user["id"]}/$ref`;
    expect((await post(`/groups/${group["id"]}/members/$ref`, reference(user["id"]))).status).toBe(400);
    expect((await provider.manage("DELETE", ref)).status).toBe(204);
    expect((await provider.manage("DELETE", ref)).status).toBe(404);
    expect((await provider.manage("DELETE", `/groups/${group["id"]}`)).status).toBe(204);
    expect((await get(`/groups/${group["id"]}`)).status).toBe(404);
  });

  test("lists of members are counted, taken by kind, selected from and referred to", async () => {
    const user = await make("/users", { userPrincipalName: `lists@${DOMAIN}` });
    const inner = await make("/groups", { displayName: "lists inner" });
    const principal = await principalOf((await make("/applications", { displayName: "lists app" }))["appId"] ?? "");
    const members = [user, inner, principal];
    const group = await make("/groups", {
      displayName: "lists outer",
      "members@odata.bind": members.map((each) => reference(each["id"])["@odata.id"]),
    });
    const path = `/groups/${group["id"]}/members`;
    const textOf = async (url: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      return (await provider.app.inject({ method: "GET", url: `/v1.0${url}`, headers })).body;
    };
    expect(await textOf(`${path}/$count`)).toBe("3");
    expect(await textOf(`${path}/microsoft.graph.group/$count`)).toBe("1");
    expect(await textOf(`/users/${user["id"]}/transitiveMemberOf/$count`)).toBe("1");
    expect(await textOf(`/servicePrincipals/$count?$filter=displayName eq 'lists app'`)).toBe("1");
    const users = await get(`${path}/microsoft.graph.user?$select=id,userPrincipalName`);
    const type = "#microsoft.graph.user";
    expect(valuesOf(users)).toEqual([{ "@odata.type": type, id: user["id"], userPrincipalName: `lists@${DOMAIN}` }]);
    // What only some kinds have is absent from the others, not wrong.
    expect(valuesOf(await get(`${path}?$filter=mailEnabled eq false`)).map((each) => each["id"])).toEqual([
      inner["id"],
    ]);
    expect(valuesOf(await get(`${path}/microsoft.graph.group?$select=appId`))).toHaveLength(1);
    expect((await get(`${path}?$select=nothing`)).status).toBe(400);
    const references = valuesOf(await get(`${path}/$ref`));
    expect(references.map((each) => each["@odata.id"]).toSorted()).toEqual(
      members.map((each) => reference(each["id"])["@odata.id"]).toSorted(),
    );
    for (const each of valuesOf(await get(path))) {
      expect({ ...principalBlank, "@odata.type": "", id: "", displayName: "" }).toMatchObject(
        Object.fromEntries(Object.keys(each).map((name) => [name, expect.toBeOneOf([null, ""])])),
      );
    }
  });

  test("hold each other; membership is transitive and survives a circle", async () => {
    const user = await make("/users", { userPrincipalName: `nested@${DOMAIN}` });
    const [inner, middle, outer] = await Promise.all(
      ["inner", "middle", "outer"].map((displayName) => make("/groups", { displayName })),
    );
    const add = (group: Entity | undefined, member: Entity | undefined) =>
      post(`/groups/${group?.["id"]}/members/$ref`, reference(member?.["id"]));
    await add(inner, user);
    await add(middle, inner);
    await add(outer, middle);
    await add(inner, outer);
    expect((await add(inner, inner)).status).toBe(400);
    const all = [inner?.["id"], middle?.["id"], outer?.["id"]].toSorted();
    expect(await provider.services.groups.groupsOf(user["id"] ?? "")).toEqual(all);
    expect((await post(`/users/${user["id"]}/getMemberGroups`, { securityEnabledOnly: false })).body["value"]).toEqual(
      all,
    );
    const asked = { groupIds: [outer?.["id"]?.toUpperCase(), DIRECTORY_APP_ID] };
    expect((await post(`/users/${user["id"]}/checkMemberGroups`, asked)).body["value"]).toEqual([asked.groupIds[0]]);
    const members = valuesOf(await get(`/groups/${outer?.["id"]}/transitiveMembers`)).map(
      (each) => each["displayName"],
    );
    expect(members.toSorted()).toEqual(["inner", "middle", "nested"]);
    await provider.manage("DELETE", `/users/${user["id"]}`);
    expect(valuesOf(await get("/groups/inner/members")).map((each) => each["displayName"])).toEqual(["outer"]);
  });
});

describe("app roles", () => {
  test("are given to users, groups and applications, and taken away", async () => {
    const api = await make("/applications", {
      displayName: "roles api",
      appRoles: [{ value: "Reader" }, { value: "Machine", allowedMemberTypes: ["Application"] }],
    });
    const [reader, machine] = (api["appRoles"] as unknown as Entity[]).map((role) => role["id"]);
    const resource = await principalOf(api["appId"] ?? "");
    const user = await make("/users", { userPrincipalName: `roles@${DOMAIN}` });
    const group = await make("/groups", { displayName: "readers" });
    await post(`/groups/${group["id"]}/members/$ref`, reference(user["id"]));
    const rolesOf = (id: string | undefined) =>
      provider.services.appRoleAssignments.rolesOf(provider.tenant.id, id ?? "", {
        appId: api["appId"] ?? "",
        appRoles: api["appRoles"] as unknown as typeof directoryResource.appRoles,
      });
    expect(await rolesOf(user["id"])).toEqual([]);
    const assigned = await post(`/groups/${group["id"]}/appRoleAssignments`, {
      principalId: group["id"],
      resourceId: resource["id"],
      appRoleId: reader,
    });
    expect(assigned.body).toMatchObject({
      principalType: "Group",
      resourceDisplayName: "roles api",
      appRoleId: reader,
    });
    expect(await rolesOf(user["id"])).toEqual(["Reader"]);
    const assign = (id: string | undefined, appRoleId: string | undefined) =>
      post(`/users/${id}/appRoleAssignments`, { principalId: id, resourceId: resource["id"], appRoleId });
    expect((await assign(user["id"], machine)).status).toBe(400);
    expect((await assign(user["id"], api["id"])).status).toBe(400);
    const client = await principalOf((await make("/applications", { displayName: "machine" }))["appId"] ?? "");
    const toClient = { principalId: client["id"], resourceId: resource["id"], appRoleId: machine };
    expect((await post(`/servicePrincipals/${resource["id"]}/appRoleAssignedTo`, toClient)).status).toBe(201);
    expect((await post(`/servicePrincipals/${resource["id"]}/appRoleAssignedTo`, toClient)).status).toBe(400);
    expect(await rolesOf(client["id"])).toEqual(["Machine"]);
    const list = await get(`/servicePrincipals/${resource["id"]}/appRoleAssignedTo`);
    expect(
      valuesOf(list)
        .map((each) => each["principalType"])
        .toSorted(),
    ).toEqual(["Group", "ServicePrincipal"]);
    const path = `/groups/${group["id"]}/appRoleAssignments/${String(assigned.body["id"])}`;
    expect((await provider.manage("DELETE", path)).status).toBe(204);
    expect(await rolesOf(user["id"])).toEqual([]);
    await provider.manage("DELETE", `/applications/${api["id"]}`);
    expect(valuesOf(await get("/appRoleAssignments"))).toEqual([]);
  });
});

describe("consents", () => {
  test("are given for everybody or one user, changed and withdrawn", async () => {
    const api = await make("/applications", {
      displayName: "consent api",
      api: { oauth2PermissionScopes: [{ value: "Read" }, { value: "Write", type: "Admin" }] },
    });
    const app = await make("/applications", { displayName: "consent client" });
    const user = await make("/users", { userPrincipalName: `consent@${DOMAIN}` });
    const [clientId, resourceId] = [
      (await principalOf(app["appId"] ?? ""))["id"],
      (await principalOf(api["appId"] ?? ""))["id"],
    ];
    const granted = async (userId = user["id"]) =>
      [
        ...(await provider.services.permissionGrants.grantedScopes(
          provider.tenant.id,
          app["id"] ?? "",
          api["appId"] ?? "",
          userId ?? "",
        )),
      ].toSorted();
    const forAll = { clientId, resourceId, consentType: "AllPrincipals", scope: "read" };
    const grant = await post("/oauth2PermissionGrants", forAll);
    expect(grant.body).toMatchObject({ clientId, resourceId, scope: "Read", principalId: null });
    const forOne = { ...forAll, consentType: "Principal", principalId: user["id"], scope: "Write openid" };
    expect((await post("/oauth2PermissionGrants", forOne)).status).toBe(201);
    expect(await granted()).toEqual(["Read", "Write", "openid"]);
    expect(await granted("somebody else")).toEqual(["Read"]);
    expect((await post("/oauth2PermissionGrants", { ...forAll, scope: "Nothing" })).status).toBe(400);
    expect(valuesOf(await get(`/users/${user["id"]}/oauth2PermissionGrants`))).toMatchObject([
      { scope: "Write openid" },
    ]);
    expect(valuesOf(await get(`/oauth2PermissionGrants?$filter=clientId eq '${clientId}'`))).toHaveLength(2);
    const path = `/oauth2PermissionGrants/${String(grant.body["id"])}`;
    expect((await provider.manage("PATCH", path, { scope: "Read Write" })).status).toBe(204);
    expect(await granted("somebody else")).toEqual(["Read", "Write"]);
    expect((await provider.manage("DELETE", path)).status).toBe(204);
    expect(await granted("somebody else")).toEqual([]);
  });
});

describe("service principals", () => {
  test("are there for one's own applications and the directory, and made for those of others", async () => {
    const own = await make("/applications", { displayName: "own" });
    const elsewhere = await provider.services.tenants.create({ displayName: "Else", domain: "else.example" });
    const single = await provider.services.applications.create(elsewhere.id, { displayName: "single" });
    const multi = await provider.services.applications.create(elsewhere.id, {
      displayName: "multi",
      document: { isMultiTenant: true },
    });
    const list = valuesOf(await get("/servicePrincipals?$select=displayName,appId"));
    expect(list).toContainEqual({ displayName: "own", appId: own["appId"] });
    expect(list[0]).toEqual({ displayName: "Directory", appId: DIRECTORY_APP_ID });
    expect((await post("/servicePrincipals", { appId: own["appId"] })).status).toBe(409);
    expect((await post("/servicePrincipals", { appId: single.appId })).status).toBe(400);
    const admitted = await post("/servicePrincipals", { appId: multi.appId });
    expect(admitted.body).toMatchObject({ appId: multi.appId, appOwnerOrganizationId: elsewhere.id });
    const path = `/servicePrincipals/${String(admitted.body["id"])}`;
    expect((await provider.manage("PATCH", path, { accountEnabled: false })).status).toBe(403);
    expect((await provider.manage("DELETE", path)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
    const { id } = await principalOf(own["appId"] ?? "");
    expect((await provider.manage("DELETE", `/servicePrincipals/${id}`)).status).toBe(400);
    expect(
      (await provider.manage("PATCH", `/servicePrincipals/${id}`, { appRoleAssignmentRequired: true })).status,
    ).toBe(204);
    expect((await get(`/servicePrincipals/${id}`)).body).toMatchObject({ appRoleAssignmentRequired: true });
  });
});

describe("access tokens", () => {
  const DIRECTORY = "https://graph.microsoft.com";
  const withToken = (token: unknown, path: string, headers: Record<string, string> = {}) =>
    provider.get(`/v1.0${path}`, { authorization: `Bearer ${String(token)}`, ...headers });

  async function userToken(name: string, clientAppId: string): Promise<unknown> {
    const { body } = await provider.token(1, {
      grant_type: "password",
      client_id: clientAppId,
      username: name,
      password: PASSWORD,
      resource: DIRECTORY,
    });
    return body["access_token"];
  }

  test("of an application open the interface once it has the role", async () => {
    const robot = await provider.createConfidential("robot");
    const { body } = await provider.token(2, {
      grant_type: "client_credentials",
      client_id: robot.appId,
      client_secret: "secret of robot",
      scope: `${DIRECTORY}/.default`,
    });
    const token = body["access_token"];
    const refused = await withToken(token, "/users");
    expect([refused.status, refused.body["error"]]).toEqual([
      403,
      expect.objectContaining({ code: "Authorization_RequestDenied" }),
    ]);
    const principal = await principalOf(robot.appId);
    const assigned = await post(`/servicePrincipals/${principal["id"]}/appRoleAssignments`, {
      principalId: principal["id"],
      resourceId: (await principalOf(DIRECTORY_APP_ID))["id"],
      appRoleId: directoryResource.appRoles[0]?.id,
    });
    expect(assigned.status).toBe(201);
    expect((await withToken(token, "/users")).status).toBe(200);
    expect((await withToken(token, "/tenants")).status).toBe(403);
    expect((await withToken(token, "/me")).status).toBe(400);
    const other = await provider.services.tenants.create({ displayName: "Other", domain: "other.example" });
    expect((await withToken(token, "/users", { "x-tenant": other.id })).status).toBe(403);
    await provider.manage(
      "DELETE",
      `/servicePrincipals/${principal["id"]}/appRoleAssignments/${String(assigned.body["id"])}`,
    );
    expect((await withToken(token, "/users")).status).toBe(403);
  });

  test("of an administrator open it when the client may act for him; of others only /me", async () => {
    const tool = await provider.createApplication("tool", { isPublic: true });
    const chief = await provider.createUser("chief");
    const clerk = await provider.createUser("clerk");
    expect(
      (
        await post(
          `/directoryRoles/${ADMINISTRATOR}/members/$ref`,
          reference((await get(`/users/${chief}`)).body["id"] as string),
        )
      ).status,
    ).toBe(204);
    expect(valuesOf(await get("/directoryRoles/Administrator/members"))).toMatchObject([{ displayName: "chief" }]);
    const before = await userToken(chief, tool.appId);
    expect((await withToken(before, "/users")).status).toBe(403);
    expect((await withToken(before, "/me")).body).toMatchObject({ userPrincipalName: chief });
    await provider.services.permissionGrants.grant({
      tenantId: provider.tenant.id,
      clientApplicationId: tool.id,
      resource: { appId: DIRECTORY_APP_ID, applicationId: undefined },
      consentedBy: "everybody",
      scopes: [DIRECTORY_ACCESS],
    });
    const chiefs = await userToken(chief, tool.appId);
    expect((await withToken(chiefs, "/users")).status).toBe(200);
    expect((await withToken(chiefs, "/signingKeys")).status).toBe(403);
    const ownToken = await userToken(clerk, tool.appId);
    expect((await withToken(ownToken, "/users")).status).toBe(403);
    expect((await withToken(ownToken, "/me/memberOf")).body["value"]).toEqual([]);
    const { id } = (await withToken(ownToken, "/me")).body;
    expect((await withToken(ownToken, `/users/${clerk.toUpperCase()}`)).body["id"]).toBe(id);
    expect((await withToken(ownToken, `/users/${String(id)}/transitiveMemberOf`)).body["value"]).toEqual([]);
    expect((await withToken(ownToken, `/users/${chief}`)).status).toBe(403);
    expect((await withToken(ownToken, `/groups/${String(id)}/memberOf`)).status).toBe(403);
    expect((await withToken(ownToken, "/me/photo/$value")).status).toBe(404);
    expect((await withToken(ownToken, "/signingKeys")).status).toBe(403);
  });

  test("for something else, or of nobody, open nothing", async () => {
    const api = await provider.createConfidential("other api");
    const { body } = await provider.token(1, {
      grant_type: "client_credentials",
      client_id: api.appId,
      client_secret: "secret of other api",
      resource: api.appId,
    });
    for (const token of [body["access_token"], "nonsense", ""]) {
      expect((await withToken(token, "/users")).status).toBe(401);
    }
  });
});

/** Keys take their time on a busy machine. */
const KEY_TIMEOUT_MS = 60_000;

test(
  "signing keys are listed and turned",
  async () => {
    const before = valuesOf(await get("/signingKeys"));
    expect(before).toMatchObject([{ isCurrent: true, isPublished: true, endDateTime: null }]);
    const later = new Date(provider.clock.now() + 60_000).toISOString();
    expect((await post("/signingKeys/rotate", { startDateTime: later })).body).toMatchObject({
      isCurrent: false,
      isPublished: true,
      startDateTime: later,
    });
    expect(valuesOf(await get("/signingKeys"))).toMatchObject([{ isCurrent: true, endDateTime: later }, {}]);
    expect((await post("/signingKeys/rotate")).body).toMatchObject({ isCurrent: true });
  },
  KEY_TIMEOUT_MS,
);

test("objects are found by id alone", async () => {
  const group = await make("/groups", { displayName: "by id" });
  expect((await get(`/directoryObjects/${group["id"]}`)).body).toMatchObject({ displayName: "by id" });
  const ids = [group["id"], DIRECTORY_APP_ID];
  expect(valuesOf(await post("/directoryObjects/getByIds", { ids }))).toMatchObject([{ id: group["id"] }]);
});

test("the tenant's domains, the default one marked", async () => {
  expect((await provider.manage("GET", "/domains?$filter=isDefault eq true")).body["value"]).toMatchObject([
    { id: "contoso.example", isDefault: true, isVerified: true },
  ]);
});

describe("members that there aren't", () => {
  const upn = (name: string) => `${name}@${DOMAIN}`;
  test.each([
    ["/users", { userPrincipalName: upn("nils"), nothing: 1 }, "nothing"],
    ["/users", { userPrincipalName: upn("nils"), id: crypto.randomUUID() }, "id"],
    ["/users", { userPrincipalName: upn("nils"), passwordProfile: { pasword: PASSWORD } }, "passwordProfile.pasword"],
    ["/groups", { displayName: "nothing", DisplayName: "x" }, "DisplayName"],
  ])("are refused by %s: %j", async (path, body, name) => {
    const { status, body: answer } = await post(path, body);
    expect(status).toBe(400);
    expect(answer["error"]).toMatchObject({ code: "Request_BadRequest", message: `Invalid property '${name}'` });
    expect((await get(`/users/${upn("nils")}`)).status).toBe(404);
  });

  test("a change with one of them changes nothing", async () => {
    const { id } = await make("/users", { userPrincipalName: upn("olga"), displayName: "Olga" });
    const change = { displayName: "Other", createdDateTime: "2020-01-01T00:00:00Z" };
    expect((await provider.manage("PATCH", `/users/${id}`, change)).status).toBe(400);
    expect((await get(`/users/${id}`)).body).toMatchObject({ displayName: "Olga" });
  });

  test("what clients of the Graph send besides is passed over", async () => {
    const body = {
      "@odata.type": "#microsoft.graph.user",
      mailNickname: "pia",
      jobTitle: "Baker",
      accountEnabled: true,
    };
    expect((await post("/users", { ...body, userPrincipalName: upn("pia"), displayName: "Pia" })).status).toBe(201);
    const group = { displayName: "bakers", mailEnabled: false, securityEnabled: true, "owners@odata.bind": [] };
    expect((await post("/groups", group)).status).toBe(201);
  });
});
