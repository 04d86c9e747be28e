import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, testAccount, testKey, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer, type TestRequest } from "../testing/test-client.ts";
import { addressInRange } from "./ip-range.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
  await service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: "hello" });
});
afterAll(() => service.close());

const se = "2026-11-21T00:00:00Z";

/** A service signature of version 2020-12-06, by the lines of storage §4.1. */
function serviceSas(given: Readonly<Record<string, string>>, resource = "/box/blob"): string {
  const all: Record<string, string> = { sp: "r", se, sv: "2020-12-06", sr: "b", ...given };
  const names = [
    "sp",
    "st",
    "se",
    "",
    "si",
    "sip",
    "spr",
    "sv",
    "sr",
    "",
    "ses",
    "rscc",
    "rscd",
    "rsce",
    "rscl",
    "rsct",
  ];
  const lines = names.map((name, index) => (index === 3 ? `/blob/${testAccount}${resource}` : (all[name] ?? "")));
  return signed(all, lines.join("\n"));
}

function accountSas(given: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = { sp: "rwdlac", ss: "b", srt: "sco", se, sv: "2020-12-06", ...given };
  const names = ["sp", "ss", "srt", "st", "se", "sip", "spr", "sv", "ses"];
  return signed(all, [testAccount, ...names.map((name) => all[name] ?? ""), ""].join("\n"));
}

function signed(parameters: Readonly<Record<string, string>>, text: string): string {
  const sig = createHmac("sha256", Buffer.from(testKey, "base64")).update(text).digest("base64");
  return new URLSearchParams({ ...parameters, sig }).toString().replaceAll("+", "%20");
}

function send(method: string, target: string, sas: string, request: TestRequest = {}): Promise<TestAnswer> {
  const url = `${target}${target.includes("?") ? "&" : "?"}${sas}`;
  return service.client.send(method, url, { anonymous: true, ...request });
}

const upload: TestRequest = { headers: { "x-ms-blob-type": "BlockBlob" }, body: "new" };

describe("a service signature", () => {
  test("opens the blob it was made for, and nothing else", async () => {
    const sas = serviceSas({});
    expect(await send("GET", "/box/blob", sas)).toMatchObject({ status: 200, text: "hello" });
    expect(await send("GET", "/box/other", sas)).toMatchObject({ status: 403, code: "AuthenticationFailed" });
    expect(await send("DELETE", "/box/blob", sas)).toMatchObject({
      status: 403,
      code: "AuthorizationPermissionMismatch",
    });
    expect(await send("GET", "/box?restype=container&comp=list", sas)).toMatchObject({ status: 403 });
  });

  test("over a container opens its blobs and its list, but not the container itself", async () => {
    const sas = serviceSas({ sr: "c", sp: "rl" }, "/box");
    expect(await send("GET", "/box/blob", sas)).toMatchObject({ status: 200 });
    expect(await send("GET", "/box?restype=container&comp=list", sas)).toMatchObject({ status: 200 });
    expect(await send("GET", "/box?restype=container", sas)).toMatchObject({ code: "AuthorizationPermissionMismatch" });
    expect(await send("GET", "/box?restype=container&comp=acl", sas)).toMatchObject({ status: 403 });
  });

  test("to create does not replace", async () => {
    const sas = serviceSas({ sr: "c", sp: "c" }, "/box");
    expect(await send("PUT", "/box/created", sas, upload)).toMatchObject({ status: 201 });
    expect(await send("PUT", "/box/created", sas, upload)).toMatchObject({
      status: 403,
      code: "UnauthorizedBlobOverwrite",
    });
    expect(await send("PUT", "/box/created", serviceSas({ sr: "c", sp: "w" }, "/box"), upload)).toMatchObject({
      status: 201,
    });
  });

  test("replaces headers of the answer", async () => {
    const sas = serviceSas({ rsct: "text/html", rscd: "attachment; filename=a.html" });
    const answer = await send("GET", "/box/blob", sas);
    expect(answer.headers).toMatchObject({
      "content-type": "text/html",
      "content-disposition": "attachment; filename=a.html",
      "content-security-policy": "sandbox; default-src 'none'",
    });
  });

  test("that was changed in any field is refused, with the text that was signed", async () => {
    for (const [field, value] of [
      ["sp", "rw"],
      ["se", "2027-01-01T00:00:00Z"],
      ["sv", "2021-02-12"],
      ["rsct", "text/html"],
    ] as const) {
      const parameters = new URLSearchParams(serviceSas({}));
      parameters.set(field, value);
      const answer = await send("GET", "/box/blob", parameters.toString());
      expect(answer, field).toMatchObject({ status: 403, code: "AuthenticationFailed" });
      expect(answer.text).toContain("Signature did not match. String to sign used was");
    }
  });
});

describe("an account signature", () => {
  test("opens what its services, types and letters say", async () => {
    expect(await send("GET", "/?comp=list", accountSas({ sp: "l", srt: "s" }))).toMatchObject({ status: 200 });
    expect(await send("GET", "/?comp=list", accountSas({ srt: "c" }))).toMatchObject({
      code: "AuthorizationResourceTypeMismatch",
    });
    expect(await send("GET", "/?comp=list", accountSas({ sp: "r" }))).toMatchObject({
      code: "AuthorizationPermissionMismatch",
    });
    expect(await send("GET", "/box/blob", accountSas({ ss: "qt" }))).toMatchObject({
      code: "AuthorizationServiceMismatch",
    });
    expect(await send("PUT", "/box/account", accountSas({}), upload)).toMatchObject({ status: 201 });
    expect(await send("DELETE", "/box/account", accountSas({}))).toMatchObject({ status: 202 });
  });
});

describe("what stands beside the signature", () => {
  const cases: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ["is over", { se: "2026-11-20T11:59:59Z" }, 403, "Signature not valid in the specified time frame"],
    ["has not begun", { st: "2026-11-20T12:00:01Z" }, 403, "Signature not valid in the specified time frame"],
    ["ends before it begins", { st: "2026-11-22", se: "2026-11-21" }, 403, "has to be after signed start time"],
    ["has a time that is none", { se: "tomorrow" }, 403, "Signature fields not well formed."],
    ["has a letter that is none", { sp: "rz" }, 403, "Signature fields not well formed."],
    ["is for https", { spr: "https" }, 403, "AuthorizationProtocolMismatch"],
    ["is for elsewhere", { sip: "10.0.0.1-10.0.0.9" }, 403, "AuthorizationSourceIPMismatch"],
    ["is for here", { sip: "127.0.0.1", spr: "https,http", st: "2026-11-20", se: "2026-11-21" }, 200, "hello"],
  ];
  test.each(cases)("%s", async (_what, given, status, text) => {
    const answer = await send("GET", "/box/blob", serviceSas(given));
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
  });

  test("two signatures in one address are refused", async () => {
    expect(await send("GET", "/box/blob", `${serviceSas({})}&sig=x`)).toMatchObject({ status: 403 });
  });
});

test("tags at an upload need a letter of their own", async () => {
  const tagged: TestRequest = { ...upload, headers: { ...upload.headers, "x-ms-tags": "a=1" } };
  expect(await send("PUT", "/box/tagged", serviceSas({ sp: "cw", sr: "c" }, "/box"), tagged)).toMatchObject({
    status: 403,
    code: "AuthorizationPermissionMismatch",
  });
  expect(await send("PUT", "/box/tagged", serviceSas({ sp: "cwt", sr: "c" }, "/box"), tagged)).toMatchObject({
    status: 201,
  });
});

describe("a stored access policy", () => {
  const policy = (body: string): Promise<TestAnswer> =>
    service.client.send("PUT", "/box?restype=container&comp=acl", {
      body: `<?xml version="1.0"?><SignedIdentifiers>${body}</SignedIdentifiers>`,
    });
  const identifier = (id: string, fields: string): string =>
    `<SignedIdentifier><Id>${id}</Id><AccessPolicy>${fields}</AccessPolicy></SignedIdentifier>`;

  test("gives what the signature leaves out, and takes it away again", async () => {
    const sas = serviceSas({ sp: "", se: "", si: "readers" });
    expect(await send("GET", "/box/blob", sas)).toMatchObject({ status: 403 });
    expect(await policy(identifier("readers", `<Expiry>${se}</Expiry><Permission>r</Permission>`))).toMatchObject({
      status: 200,
    });
    expect(await send("GET", "/box/blob", sas)).toMatchObject({ status: 200 });
    expect(await send("GET", "/box/blob", serviceSas({ sp: "r", se: "", si: "readers" }))).toMatchObject({
      status: 403,
    });
    const acl = await service.client.send("GET", "/box?restype=container&comp=acl");
    expect(acl.text).toContain(
      `<SignedIdentifiers><SignedIdentifier><Id>readers</Id><AccessPolicy><Expiry>${se}</Expiry><Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>`,
    );
    expect(await policy("")).toMatchObject({ status: 200 });
    expect(await send("GET", "/box/blob", sas)).toMatchObject({ status: 403 });
  });

  test.each([
    [
      "six of them",
      Array.from({ length: 6 }, (_, index) => identifier(String(index), "")).join(""),
      "InvalidXmlDocument",
    ],
    ["an id that is too long", identifier("x".repeat(65), ""), "InvalidXmlNodeValue"],
    ["a time that is none", identifier("a", "<Start>soon</Start>"), "InvalidXmlNodeValue"],
    ["no XML", "<SignedIdentifier>", "InvalidXmlDocument"],
    ["entities", `<!DOCTYPE a [<!ENTITY b "c">]>`, "InvalidXmlDocument"],
  ])("is refused: %s", async (_what, body, code) => {
    expect(await policy(body)).toMatchObject({ status: 400, code });
  });
});

describe("public access", () => {
  const open = (access: string): Promise<TestAnswer> =>
    service.client.send(
      "PUT",
      "/box?restype=container&comp=acl",
      access === "" ? {} : { headers: { "~blob-public-access": access } },
    );
  const anonymous = (target: string): Promise<TestAnswer> => service.client.send("GET", target, { anonymous: true });

  test("opens blobs, or the container as well, to everybody", async () => {
    await open("blob");
    expect(await anonymous("/box/blob")).toMatchObject({ status: 200 });
    expect(await anonymous("/box?restype=container&comp=list")).toMatchObject({ status: 401 });
    await open("container");
    expect(await anonymous("/box?restype=container&comp=list")).toMatchObject({ status: 200 });
    expect(await service.client.send("DELETE", "/box/blob", { anonymous: true })).toMatchObject({ status: 401 });
    await open("");
    expect(await anonymous("/box/blob")).toMatchObject({ status: 401 });
  });
});

test("address ranges", () => {
  expect(addressInRange("::ffff:10.0.0.5", "10.0.0.1-10.0.0.9")).toBe(true);
  expect(addressInRange("10.0.0.10", "10.0.0.1-10.0.0.9")).toBe(false);
  expect(addressInRange("::1", "::1")).toBe(true);
  expect(addressInRange("10.0.0.1", "10.0.0.9-10.0.0.1")).toBe(false);
  expect(addressInRange("10.0.0.1", "anywhere")).toBe(false);
});
