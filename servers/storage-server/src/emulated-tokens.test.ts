import { createSign, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ManualClock } from "@trefoil/base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmulatedTokens } from "./emulated-tokens.ts";

const clock = new ManualClock(Date.parse("2026-11-20T12:00:00Z"));
const nowSeconds = clock.now() / 1000;
const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const here = { account: "devstoreaccount1", isLocal: true };

let directory: string;
let tokens: EmulatedTokens;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "trefoil-tokens-"));
  const file = path.join(directory, "test.key");
  await writeFile(file, own.privateKey.export({ type: "pkcs8", format: "pem" }));
  tokens = await EmulatedTokens.open(file, clock);
});
afterAll(() => rm(directory, { recursive: true }));

const good = {
  iss: "https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/",
  aud: "https://storage.azure.com",
  nbf: nowSeconds - 10,
  exp: nowSeconds + 10,
  oid: "23657296-5cd5-45b0-a809-d972a7f4dfe1",
  tid: "dd0d0df1-06c3-436c-8034-4b9a153097ce",
};

function sign(claims: object, key = own.privateKey, alg = "RS256"): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}

describe("tokens of a test", () => {
  test("are known by the signature of its key alone", () => {
    expect(tokens.isSigned(sign(good))).toBe(true);
    expect(tokens.isSigned(sign(good, other.privateKey))).toBe(false);
    expect(tokens.isSigned(sign(good, own.privateKey, "none"))).toBe(false);
    expect(tokens.isSigned(`${sign(good)}.more`)).toBe(false);
    expect(tokens.isSigned("no token")).toBe(false);
  });

  test("let their holder own every account of this machine", () => {
    expect(tokens.validate(sign(good), here)).toMatchObject({
      objectId: good.oid,
      tenantId: good.tid,
      roles: ["Storage.Owner"],
    });
    const forAccount = { ...good, aud: "https://devstoreaccount1.blob.core.windows.net/" };
    expect(tokens.validate(sign(forAccount), here)).toMatchObject({ objectId: good.oid });
  });

  test.each([
    ["another issuer", { iss: "https://login.example/ab1f708d-50f6-404c-a006-d71b2ac7a606/" }, "issuer"],
    ["an issuer that only begins like one", { iss: "https://sts.windows.net.example/x/" }, "issuer"],
    ["another account's host", { aud: "https://other.blob.core.windows.net" }, "audience"],
    ["another resource", { aud: "https://graph.microsoft.com" }, "audience"],
    ["a time to come", { nbf: nowSeconds + 60 }, "not_yet_valid"],
    ["a time gone by", { exp: nowSeconds - 60 }, "expired"],
    ["no end", { exp: undefined }, "expired"],
  ])("are refused for %s", (_what, change, code) => {
    expect(() => tokens.validate(sign({ ...good, ...change }), here)).toThrow(expect.objectContaining({ code }));
  });

  test("are worth nothing from another machine", () => {
    expect(() => tokens.validate(sign(good), { ...here, isLocal: false })).toThrow(
      expect.objectContaining({ code: "issuer" }),
    );
  });

  test("need a key in the file", async () => {
    const file = path.join(directory, "empty");
    await writeFile(file, "nothing");
    await expect(EmulatedTokens.open(file, clock)).rejects.toMatchObject({ code: "configuration" });
  });
});
