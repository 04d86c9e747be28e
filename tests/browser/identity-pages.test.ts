import path from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { IdentityUnderTest } from "../conformance/interface/identity-under-test.ts";
import { authenticatorCode } from "./authenticator.ts";
import {
  type Complaints,
  describeInBrowser,
  expectAccessible,
  launchBrowser,
  listenForComplaints,
  tabTo,
} from "./browser.ts";
import { createPkce, RelyingParty } from "./relying-party.ts";

/*
 * Every page of the identity provider, as a person meets it: the way through, what axe says about each page in both
 * colour schemes, and that no page breaks its own content policy or complains in the console.
 */

let server: IdentityUnderTest;
let party: RelyingParty;
let browser: Browser;
let context: BrowserContext;
let complaints: Complaints;
let page: Page;

const password = "a password of some length";
const users = { ada: "", grace: "", admin: "" };
const client = { appId: "", secret: "" };

describeInBrowser("pages of the identity provider", () => {
  beforeAll(async () => {
    server = await IdentityUnderTest.start();
    party = await RelyingParty.start();
    await prepareDirectory();
    browser = await launchBrowser({ certificates: [path.join(server.directory, "tls/server.pem")] });
  });
  afterAll(async () => {
    await browser?.close();
    await party?.close();
    await server?.close();
  });

  afterEach(async () => {
    const heard = complaints?.all ?? [];
    await context?.close();
    expect(heard).toEqual([]);
  });

  test("sign-in: a wrong password, then the right one; consent; code with PKCE", async () => {
    await openBrowser();
    const { verifier, challenge } = createPkce();
    await page.goto(authorizeUrl({ code_challenge: challenge, code_challenge_method: "S256", state: "s t&ä" }));
    expect(await page.title()).toBe("Sign in");
    await page.locator("#username:focus").waitFor();
    await expectAccessible(page);

    await signIn(users.ada, "wrong");
    expect(await page.getByRole("alert").textContent()).not.toBe("");
    expect(await page.getByLabel("User name").inputValue()).toBe(users.ada);
    await expectAccessible(page);

    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Permissions requested");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("Back at the application").waitFor();

    const { parameters } = party.arrivalAt("/back");
    expect(parameters).toMatchObject({ state: "s t&ä", iss: `${server.url}/${server.tenantId}/v2.0` });
    const tokens = await redeem(parameters["code"] ?? "", { code_verifier: verifier });
    expect(tokens).toMatchObject({ token_type: "Bearer", id_token: expect.any(String) as string });

    // The session answers from now on.
    await page.goto(authorizeUrl({ state: "again" }));
    expect(party.arrivalAt("/back").parameters["state"]).toBe("again");
  });

  test("consent that is declined goes back to the client as an error", async () => {
    await openBrowser();
    await page.goto(authorizeUrl({ prompt: "consent" }));
    await signIn(users.grace);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Back at the application").waitFor();
    expect(party.arrivalAt("/back").parameters["error"]).toBe("access_denied");
  });

  test("hybrid: code and id token by form_post, with the session cookie alone the next time", async () => {
    await openBrowser();
    const url = authorizeUrl({
      response_type: "code id_token",
      response_mode: "form_post",
      nonce: "the nonce",
      state: "a",
    });
    await page.goto(url);
    await signIn(users.ada);
    await acceptIfAsked();
    await page.getByText("Back at the application").waitFor();
    const { method, parameters } = party.arrivalAt("/back");
    expect(method).toBe("POST");
    const claims = claimsOf(parameters["id_token"] ?? "");
    expect(claims).toMatchObject({ nonce: "the nonce", c_hash: expect.any(String) as string, aud: client.appId });
    expect(await redeem(parameters["code"] ?? "")).toMatchObject({ access_token: expect.any(String) as string });

    await page.goto(url.replace("state=a", "state=b"));
    await page.getByText("Back at the application").waitFor();
    expect(party.arrivalAt("/back").parameters["state"]).toBe("b");
  });

  test("stay signed in: the cookie outlives the browser; without it, it doesn't", async () => {
    for (const stays of [true, false]) {
      await context?.close();
      await openBrowser();
      await page.goto(authorizeUrl());
      if (stays) {
        await page.getByLabel("Stay signed in on this device").check();
      }
      await signIn(users.ada);
      await acceptIfAsked();
      await page.getByText("Back at the application").waitFor();
      const session = (await context.cookies(server.url)).find(({ name }) => name === "__Host-session");
      expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax", path: "/" });
      expect((session?.expires ?? -1) > Date.now() / 1000 + 3600).toBe(stays);
    }
  });

  test("two people in one browser choose, or sign in anew", async () => {
    await openBrowser();
    for (const user of [users.ada, users.grace]) {
      await page.goto(authorizeUrl({ prompt: "login" }));
      await signIn(user);
      await acceptIfAsked();
      await page.getByText("Back at the application").waitFor();
    }
    await page.goto(
      authorizeUrl({ state: "chosen", response_type: "id_token", nonce: "n", response_mode: "form_post" }),
    );
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Choose an account");
    await expectAccessible(page);
    await page.getByRole("button", { name: users.ada }).click();
    await page.getByText("Back at the application").waitFor();
    const claims = claimsOf(party.arrivalAt("/back").parameters["id_token"] ?? "");
    expect(claims["preferred_username"]).toBe(users.ada);

    await page.goto(authorizeUrl({ prompt: "select_account" }));
    await page.getByRole("button", { name: "Use another account" }).click();
    expect(await page.title()).toBe("Sign in");
  });

  test("a password that must be changed is changed on the way", async () => {
    await openBrowser();
    await server.manage("POST", "/users", {
      userPrincipalName: `new@${server.credentials.tenantDomain}`,
      displayName: "New",
      passwordProfile: { password, forceChangePasswordNextSignIn: true },
    });
    await page.goto(authorizeUrl());
    await signIn(`new@${server.credentials.tenantDomain}`);
    expect(await page.title()).toBe("Choose a new password");
    await expectAccessible(page);
    await page.getByLabel("New password").fill("another password of mine");
    await page.getByLabel("The same again").fill("something else entirely");
    await page.getByRole("button", { name: "Go on" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("differ");
    await page.getByLabel("New password").fill("another password of mine");
    await page.getByLabel("The same again").fill("another password of mine");
    await page.getByRole("button", { name: "Go on" }).click();
    await acceptIfAsked();
    await page.getByText("Back at the application").waitFor();
  });

  test("an administrator agrees for everybody", async () => {
    await openBrowser();
    const query = new URLSearchParams({
      client_id: client.appId,
      redirect_uri: `${party.url}/back`,
      scope: "api://things/.default",
      state: "for all",
    });
    await page.goto(`${server.url}/${server.tenantId}/v2.0/adminconsent?${query}`);
    await signIn(users.admin);
    expect(await page.title()).toBe("Permissions for everybody");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Accept for everybody" }).click();
    await page.getByText("Back at the application").waitFor();
    expect(party.arrivalAt("/back").parameters).toMatchObject({ admin_consent: "True", state: "for all" });
  });

  test("a device is signed in: code, sign-in, confirmation", async () => {
    await openBrowser();
    const answer = await server.token(
      { client_id: client.appId, scope: "openid api://things/Things.Read" },
      `/${server.tenantId}/oauth2/v2.0/devicecode`,
    );
    const device = answer.json() as { user_code: string; verification_uri: string; device_code: string };
    await page.goto(device.verification_uri);
    await expectAccessible(page);
    await page.getByLabel("Code").fill("NOSUCHCODE");
    await page.getByRole("button", { name: "Next" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("no such code");
    await page.getByLabel("Code").fill(device.user_code);
    await page.getByRole("button", { name: "Next" }).click();
    await signIn(users.grace);
    expect(await page.title()).toBe("Is this your device?");
    expect(await page.getByRole("main").textContent()).toContain(device.user_code);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Go on" }).click();
    expect(await page.getByRole("status").textContent()).toContain("is signed in on your device");
    await expectAccessible(page);
    const tokens = await server.token(
      {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        client_id: client.appId,
        client_secret: client.secret,
        device_code: device.device_code,
      },
      `/${server.tenantId}/oauth2/v2.0/token`,
    );
    expect(tokens.json()).toMatchObject({ access_token: expect.any(String) as string });
  });

  test("the account page ends sessions and changes the password", async () => {
    const name = `turing@${server.credentials.tenantDomain}`;
    await createUser("turing");
    await openBrowser();
    const elsewhere = await (await browser.newContext()).newPage();
    for (const each of [elsewhere, page]) {
      await each.goto(`${server.url}/account`);
      await signIn(name, password, each);
      await each.getByRole("heading", { name: "Your account" }).waitFor();
    }
    await page.reload();
    expect(await page.getByRole("listitem").count()).toBe(2);
    await expectAccessible(page);

    await page
      .getByRole("listitem")
      .filter({ hasNotText: "This browser" })
      .getByRole("button", { name: /End/ })
      .click();
    expect(await page.getByRole("listitem").count()).toBe(1);
    await elsewhere.goto(`${server.url}/account`);
    expect(await elsewhere.title()).toBe("Sign in");
    await elsewhere.context().close();

    await page.getByLabel("Present password").fill(password);
    await page.getByLabel("New password").fill("quite another password");
    await page.getByLabel("The same again").fill("quite another password");
    await page.getByRole("button", { name: "Change" }).click();
    expect(await page.getByRole("main").textContent()).toContain("The password was changed.");
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    expect(await page.title()).toBe("Sign in");
    await signIn(name, password);
    await page.getByRole("alert").waitFor();
    await signIn(name, "quite another password");
    await page.getByRole("heading", { name: "Your account" }).waitFor();
  });

  test("a second factor: set up on the account page, asked for after the password", async () => {
    const name = await createUser("hopper");
    await openBrowser();
    await page.goto(`${server.url}/account`);
    await signIn(name);
    const factor = page.locator("form").filter({ hasText: "Second factor" });
    await factor.getByLabel("Password").fill(password);
    await factor.getByRole("button", { name: "Add an authenticator application" }).click();
    expect(await page.title()).toBe("Set up an authenticator application");
    await expectAccessible(page);
    const key = (await page.locator("code").textContent()) ?? "";
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.locator("code").textContent()).toBe(key);
    await page.getByLabel("Code").fill(authenticatorCode(key));
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Authenticator application, since").waitFor();
    await expectAccessible(page);

    await context.close();
    await openBrowser();
    await page.goto(authorizeUrl({ state: "two factors" }));
    await signIn(name);
    expect(await page.title()).toBe("Enter your code");
    await expectAccessible(page);
    // A code counts once: the next one is within what slow clocks are allowed.
    await page.getByLabel("Code").fill(authenticatorCode(key, 1));
    await page.getByRole("button", { name: "Go on" }).click();
    await acceptIfAsked();
    await page.getByText("Back at the application").waitFor();
    expect(party.arrivalAt("/back").parameters["state"]).toBe("two factors");
  });

  test("sign-out reaches the client by a hidden frame and comes back to it", async () => {
    await openBrowser();
    await page.goto(authorizeUrl());
    await signIn(users.ada);
    await acceptIfAsked();
    await page.getByText("Back at the application").waitFor();
    const query = new URLSearchParams({ post_logout_redirect_uri: `${party.url}/back`, state: "gone" });
    await page.goto(`${server.url}/${server.tenantId}/oauth2/v2.0/logout?${query}`);
    await page.getByText("You are signed out").waitFor();
    await expect.poll(() => party.arrivals.some((each) => each.path === "/signed-out")).toBe(true);
    expect(party.arrivalAt("/signed-out").parameters).toMatchObject({
      iss: `${server.url}/${server.tenantId}/v2.0`,
      sid: expect.any(String) as string,
    });
    await page.getByText("Back at the application").waitFor();
    expect(party.arrivalAt("/back").parameters["state"]).toBe("gone");
    await page.goto(authorizeUrl());
    expect(await page.title()).toBe("Sign in");
  });

  test("the page after sign-out, when there is nowhere to go", async () => {
    await openBrowser();
    await page.goto(`${server.url}/${server.tenantId}/oauth2/logout`);
    await page.getByRole("status").waitFor();
    await expectAccessible(page);
  });

  test("errors that the client may not be told are shown; codes are explained", async () => {
    await openBrowser();
    const answer = await page.goto(authorizeUrl({ redirect_uri: "https://evil.example/" }));
    expect(answer?.status()).toBe(400);
    expect(await page.getByRole("alert").textContent()).toMatch(/^STS50011:/);
    await expectAccessible(page);
    await page.goto(`${server.url}/error?code=50011`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("STS50011");
    await expectAccessible(page);
    await page.goto(`${server.url}/error`);
    await expectAccessible(page);
  });

  test("everything works without scripts, and form_post with one press of a button", async () => {
    await openBrowser({ javaScriptEnabled: false });
    await page.goto(authorizeUrl({ response_mode: "form_post", prompt: "consent", state: "no scripts" }));
    await signIn(users.ada);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Back at the application").waitFor();
    expect(party.arrivalAt("/back")).toMatchObject({ method: "POST", parameters: { state: "no scripts" } });
  });

  test("the keyboard alone is enough", async () => {
    await openBrowser();
    await page.goto(authorizeUrl({ prompt: "consent", state: "typed" }));
    await page.locator("#username:focus").waitFor();
    await page.keyboard.type(users.grace);
    await tabTo(page, "Password");
    await page.keyboard.type(password);
    await tabTo(page, "Stay signed in on this device");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Permissions requested" }).waitFor();
    await tabTo(page, "Accept");
    await page.keyboard.press("Enter");
    await page.getByText("Back at the application").waitFor();
    expect(party.arrivalAt("/back").parameters["state"]).toBe("typed");

    await page.goto(`${server.url}/account`);
    for (const name of [/^End the session/, "Sign out everywhere", "Present password", "New password", "Change"]) {
      await tabTo(page, name);
    }
    await page.goto(`${server.url}/device`);
    await page.locator("#user_code:focus").waitFor();
    await page.keyboard.type("NOSUCHCODE");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
  });

  test("no page can be framed by another site", async () => {
    await openBrowser();
    await page.goto(`${party.url}/framing`);
    const frameUrl = authorizeUrl();
    await page.evaluate((src) => {
      const { document } = globalThis as unknown as { document: FramingDocument };
      const frame = document.createElement("iframe");
      frame.src = src;
      document.body.append(frame);
    }, frameUrl);
    await expect.poll(() => complaints.all.some((text) => /frame-ancestors|X-Frame-Options/.test(text))).toBe(true);
    const [, frame] = page.frames();
    expect(await frame?.content()).not.toContain("password");
    (complaints.all as string[]).length = 0;
  });
});

interface FramingDocument {
  createElement(name: "iframe"): { src: string };
  readonly body: { append(element: unknown): void };
}

async function openBrowser(options: BrowserContextOptions = {}): Promise<void> {
  context = await browser.newContext(options);
  complaints = listenForComplaints(context);
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
}

async function prepareDirectory(): Promise<void> {
  await server.manage("POST", "/applications", {
    displayName: "Things",
    identifierUris: ["api://things"],
    api: { oauth2PermissionScopes: [{ value: "Things.Read", type: "User", userConsentDisplayName: "Read things" }] },
  });
  const { id, appId } = await server.manage<{ id: string; appId: string }>("POST", "/applications", {
    displayName: "The application",
    web: {
      redirectUris: ["http://localhost/back"],
      logoutUrl: `${party.url}/signed-out`,
      implicitGrantSettings: { enableIdTokenIssuance: true },
    },
  });
  const { secretText } = await server.manage<{ secretText: string }>("POST", `/applications/${id}/addPassword`, {});
  Object.assign(client, { appId, secret: secretText });
  users.ada = await createUser("ada");
  users.grace = await createUser("grace");
  users.admin = await createUser("admin");
  const [role] = (await server.manage<{ value: { id: string }[] }>("GET", "/directoryRoles")).value;
  const { id: admin } = await server.manage<{ id: string }>("GET", `/users/${users.admin}`);
  await server.manage("POST", `/directoryRoles/${role!.id}/members/$ref`, {
    "@odata.id": `${server.url}/v1.0/directoryObjects/${admin}`,
  });
}

async function createUser(name: string): Promise<string> {
  const userPrincipalName = `${name}@${server.credentials.tenantDomain}`;
  await server.manage("POST", "/users", { userPrincipalName, displayName: name, passwordProfile: { password } });
  return userPrincipalName;
}

function authorizeUrl(more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    client_id: client.appId,
    redirect_uri: `${party.url}/back`,
    response_type: "code",
    scope: "openid profile offline_access api://things/Things.Read",
    ...more,
  });
  return `${server.url}/${server.tenantId}/oauth2/v2.0/authorize?${query}`;
}

async function signIn(userName: string, secret = password, on = page): Promise<void> {
  await on.getByLabel("User name").fill(userName);
  await on.getByLabel("Password").fill(secret);
  await on.getByRole("button", { name: "Sign in" }).click();
}

async function acceptIfAsked(): Promise<void> {
  await page.waitForLoadState();
  if ((await page.title()) === "Permissions requested") {
    await page.getByRole("button", { name: "Accept" }).click();
  }
}

async function redeem(code: string, more: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
  const fields = {
    grant_type: "authorization_code",
    client_id: client.appId,
    client_secret: client.secret,
    redirect_uri: `${party.url}/back`,
    code,
    ...more,
  };
  return (await server.token(fields, `/${server.tenantId}/oauth2/v2.0/token`)).json();
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
}
