import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Clock, StartError } from "@trefoil/base";
import { type ValidateToken } from "@trefoil/blob-storage";
import { TokenRefusedError, type ValidatedToken } from "@trefoil/token-validation";

/**
 * Believes tokens that a test signs with a key of its own, as if the public cloud's issuer had (decisions/0107): those
 * of its issuers, for its storage resource or an account's host name there. Whoever holds the key owns every account,
 * so nothing but requests made on this machine counts.
 */
export class EmulatedTokens {
  readonly #key: KeyObject;
  readonly #clock: Clock;

  private constructor(key: KeyObject, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  /**
   * @param file  PEM of an RSA key or a certificate; of a private key the public part is used
   * @throws StartError `configuration` when there is no such key in it
   */
  static async open(file: string, clock: Clock): Promise<EmulatedTokens> {
    try {
      return new EmulatedTokens(createPublicKey(await readFile(file)), clock);
    } catch (error) {
      throw new StartError("configuration", `objects.identity.test_key: ${file} holds no key`, { cause: error });
    }
  }

  /** Whether the key signed it; nothing else of it is believed by that. */
  isSigned(token: string): boolean {
    const [header = "", payload = "", signature = "", ...rest] = token.split(".");
    const algorithm = readJson(header)["alg"];
    return (
      rest.length === 0 &&
      algorithm === "RS256" &&
      verify("RSA-SHA256", Buffer.from(`${header}.${payload}`), this.#key, Buffer.from(signature, "base64url"))
    );
  }

  /** @throws TokenRefusedError for a signed token that isn't good here or now */
  validate(token: string, { account, isLocal }: Parameters<ValidateToken>[1]): ValidatedToken {
    const claims = readJson(token.split(".")[1] ?? "");
    const nowSeconds = this.#clock.now() / 1000;
    refuseUnless(isLocal && ISSUER.test(text(claims["iss"])), "issuer");
    refuseUnless(isAudience(text(claims["aud"]), account), "audience");
    refuseUnless(number(claims["nbf"]) <= nowSeconds, "not_yet_valid");
    refuseUnless(number(claims["exp"]) > nowSeconds, "expired");
    const objectId = text(claims["oid"]);
    return {
      version: 1,
      tenantId: text(claims["tid"]),
      objectId,
      subject: objectId,
      clientId: text(claims["appid"]),
      isApplication: false,
      userName: undefined,
      scopes: text(claims["scp"]).split(" "),
      roles: ["Storage.Owner"],
      expiresAtSeconds: number(claims["exp"]),
      claims,
    };
  }
}

const ISSUER =
  /^https:\/\/sts\.(?:windows\.net|microsoftonline\.de|chinacloudapi\.cn|windows-ppe\.net)\/{1,2}[0-9a-f-]{36}\/$/iu;

const RESOURCES: ReadonlySet<string> = new Set(["https://storage.azure.com", "e406a681-f3d4-42a8-90b6-c2b029497af1"]);
const CLOUDS: readonly string[] = [
  "core.windows.net",
  "core.chinacloudapi.cn",
  "core.usgovcloudapi.net",
  "core.cloudapi.de",
];

function isAudience(audience: string, account: string): boolean {
  const plain = audience.replace(/\/$/u, "");
  return RESOURCES.has(plain) || CLOUDS.some((cloud) => plain === `https://${account}.blob.${cloud}`);
}

function readJson(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A time that isn't there makes a token invalid either way. */
function number(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

function refuseUnless(holds: boolean, code: "issuer" | "audience" | "expired" | "not_yet_valid"): void {
  if (!holds) {
    throw new TokenRefusedError(code, `The token is refused: ${code}`);
  }
}
