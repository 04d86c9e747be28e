import { ProviderUnavailableError, TokenRefusedError, type ValidatedToken } from "@trefoil/token-validation";
import { describe, expect, it } from "vitest";
import { createTokenAuthenticator } from "./token-authenticator.ts";

const token = (roles: readonly string[]): ValidatedToken => ({
  version: 2,
  tenantId: "t",
  objectId: "o",
  subject: "s",
  clientId: "client",
  isApplication: true,
  userName: undefined,
  scopes: [],
  roles,
  expiresAtSeconds: 0,
  claims: {},
});

const authenticate = (answer: ValidatedToken | Error): ReturnType<ReturnType<typeof createTokenAuthenticator>> =>
  createTokenAuthenticator({
    validate: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
  })("a.b.c");

describe("createTokenAuthenticator", () => {
  it("gives the highest role a token says, and none that it does not say", async () => {
    expect((await authenticate(token(["reader", "Editor"]))).account).toEqual({
      name: "client",
      role: "editor",
      passwordChangeRequired: false,
      isForeign: true,
    });
    expect((await authenticate(token(["Storage.Owner"]))).refusal?.status).toBe(403);
    expect((await authenticate(token([]))).refusal?.status).toBe(403);
  });

  it.each([
    [new TokenRefusedError("expired", "x"), 401],
    [new ProviderUnavailableError("x", undefined), 503],
  ])("answers %s with %d", async (error, status) => {
    expect((await authenticate(error)).refusal?.status).toBe(status);
  });

  it("lets our own mistakes through to the log", async () => {
    await expect(authenticate(new Error("bug"))).rejects.toThrow("bug");
  });
});
