import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfiguration } from "@trefoil/config";
import { createLogger } from "@trefoil/http";
import { startIdentityServer } from "@trefoil/identity-server";
import { ensureCliToken, type InitialCredentials } from "@trefoil/installation";

/** An answer as it came: headers with lower-case names, the body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body read as JSON. */
  json(): Record<string, unknown>;
}

/** The identity provider with a data folder of its own, as its process starts it; asked over https like anybody else. */
export class IdentityUnderTest {
  readonly directory: string;
  readonly credentials: InitialCredentials["identity"];
  readonly certificateAuthorityPem: string;
  readonly #cliToken: string;
  /** The address that is reached from this machine only: http, without a final slash. */
  readonly plainUrl: string;
  readonly #close: () => Promise<void>;

  private constructor(
    directory: string,
    credentials: InitialCredentials,
    certificateAuthorityPem: string,
    cliToken: string,
    plainUrl: string,
    close: () => Promise<void>,
  ) {
    this.directory = directory;
    this.credentials = credentials.identity;
    this.certificateAuthorityPem = certificateAuthorityPem;
    this.#cliToken = cliToken;
    this.plainUrl = plainUrl;
    this.#close = close;
  }

  static async start(overrides: Readonly<Record<string, string>> = {}): Promise<IdentityUnderTest> {
    const directory = await mkdtemp(path.join(tmpdir(), "trefoil-identity-"));
    const configuration = await loadConfiguration({
      workingDirectory: directory,
      environment: {},
      overrides: {
        "data.directory": directory,
        "identity.http.port": "0",
        "identity.https.port": "0",
        "identity.password.memory_kib": "7168",
        "identity.password.iterations": "1",
        ...overrides,
      },
    });
    const server = await startIdentityServer({
      configuration,
      dataDirectory: directory,
      logger: createLogger({ name: "identity", level: "silent", pretty: false }),
      cliToken: await ensureCliToken(directory),
    });
    const read = (name: string): Promise<string> => readFile(path.join(directory, name), "utf8");
    return new IdentityUnderTest(
      directory,
      JSON.parse(await read("initial-credentials.json")) as InitialCredentials,
      await read("tls/ca.pem"),
      (await read("cli-token")).trim(),
      server.addresses.find(({ protocol }) => protocol === "http")?.url ?? "",
      () => server.close(),
    );
  }

  /** The public address: https, without a final slash. */
  get url(): string {
    return this.credentials.issuer;
  }

  get tenantId(): string {
    return this.credentials.tenantId;
  }

  async close(): Promise<void> {
    await this.#close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** A request over https with nothing trusted but the installation's own authority. */
  send(method: string, target: string, headers: Readonly<Record<string, string>> = {}, body = ""): Promise<Answer> {
    return exchange(this.url + target, method, headers, body, this.certificateAuthorityPem);
  }

  /** A form to a token endpoint, with the content type exactly as the interface writes it. */
  token(fields: Readonly<Record<string, string>>, target = `/${this.tenantId}/oauth2/token`): Promise<Answer> {
    const headers = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
    return this.send("POST", target, headers, new URLSearchParams(fields).toString());
  }

  /** A management request, as the command line makes it. */
  async manage<Entity>(method: string, target: string, body?: object): Promise<Entity> {
    const headers = { authorization: `Bearer ${this.#cliToken}`, "content-type": "application/json" };
    const answer = await exchange(`${this.plainUrl}/v1.0${target}`, method, headers, JSON.stringify(body) ?? "");
    if (answer.status >= 400) {
      throw new Error(`${method} ${target}: ${answer.status} ${answer.text}`);
    }
    return (answer.text === "" ? undefined : answer.json()) as Entity;
  }
}

function exchange(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  ca?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? requestTls : requestPlain;
    const options = { method, headers: { ...headers, "content-length": Buffer.byteLength(body) } };
    const outgoing = send(url, { ...options, ...(ca === undefined ? {} : { ca }) }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as Record<string, unknown>,
        });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
