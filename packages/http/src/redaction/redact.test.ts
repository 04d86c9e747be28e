import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLogger } from "../logger.ts";
import { scrubText, scrubUrl } from "./redact.ts";
import { secretNames } from "./secret-names.ts";

function log(fields: Record<string, unknown>, message = "text"): string {
  let output = "";
  const logger = createLogger({
    name: "t",
    level: "info",
    pretty: false,
    stream: { write: (line) => (output += line) },
  });
  logger.info(fields, message);
  return output;
}

const everywhere = secretNames.filter(({ where }) => where === "everywhere").map(({ name }) => name);

describe("fields", () => {
  test.each(everywhere)("%s is replaced at any depth, in any spelling", (name) => {
    const camel = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const header = name.replaceAll("_", "-").toUpperCase();
    const line = log({ [name]: "S3CRET", a: { [camel]: ["S3CRET"], b: [{ [header]: { c: "S3CRET" } }] } });
    expect(line).not.toContain("S3CRET");
  });

  test("an error's code stays, what libraries attach to an error does not", () => {
    const error = Object.assign(new Error("failed"), { code: "EADDRINUSE", config: { headers: { x: "S3CRET" } } });
    expect(log({ err: error })).toContain("EADDRINUSE");
    expect(log({ err: error })).not.toContain("S3CRET");
  });

  test("the bindings of a child logger are covered", () => {
    let output = "";
    const logger = createLogger({ name: "t", level: "info", pretty: false, stream: { write: (l) => (output += l) } });
    logger.child({ password: "S3CRET" }).info("hello");
    expect(output).toContain("hello");
    expect(output).not.toContain("S3CRET");
  });
});

describe("queries", () => {
  test.each(secretNames.map(({ name }) => name))("%s is replaced in a URL and in running text", (name) => {
    expect(scrubUrl(`/p?a=1&${name}=S3CRET&b=2`)).toBe(`/p?a=1&${name}=[redacted]&b=2`);
    expect(scrubText(`went to http://h/p?${name}=S3CRET and back`)).not.toContain("S3CRET");
  });

  test("a name hidden by percent-encoding is found", () => {
    expect(scrubUrl("/p?%63ode=S3CRET&Client-Secret=S3CRET")).not.toContain("S3CRET");
  });

  test("secrets are found behind more names than are remembered", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `n${index}=1`).join("&");
    expect(scrubUrl(`/p?${names}&Client%5FSecret=S3CRET&code=S3CRET`)).not.toContain("S3CRET");
  });

  test("nothing else changes", () => {
    fc.assert(
      fc.property(fc.webPath(), fc.constantFrom("", "?a=1", "?decode=1&b=%20", "?%"), (path, query) => {
        expect(scrubUrl(path + query)).toBe(path + query);
      }),
    );
  });
});

test.each([
  JSON.stringify({ a: 1, client_secret: "S3CRET" }),
  "Authorization: Bearer abcdefghijklmnop.S3CRET",
  "Basic c29tZTpTM0NSRVQ9S3CRET",
  "SharedKey account:S3CRETS3CRETS3CRET=",
  "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=S3CRETS3CRET==;",
  "postgres://user:S3CRET@host/db",
  "token eyJhbGciOiJSUzI1NiJ9.S3CRET.S3CRET",
])("a credential in a message is replaced: %s", (message) => {
  expect(log({}, message)).not.toContain("S3CRET");
});
