import { Agent as PlainAgent, type IncomingMessage, request as requestPlain } from "node:http";
import { Agent as TlsAgent, request as requestTls } from "node:https";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { certificateAuthorityFile } from "@trefoil/installation";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";
import type { ManagementClient } from "../management-client.ts";
import { accountPath, listAccounts } from "./account.ts";

export interface BlobRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** Below the account, percent-encoded: `/container/name`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array | Readable;
}

/** A blob request that the server refused. */
export class BlobFailure extends CommandFailure {
  /** The service's code: `BlobNotFound`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const VALID_SECONDS = 24 * 3600;
const RENEW_AFTER_MS = (VALID_SECONDS / 2) * 1000;
const CONNECTIONS = 4;

/** Requests to the blobs of one account, opened by a signature that the running server makes for this data folder. */
export class BlobAccess {
  readonly account: string;
  readonly #server: ManagementClient;
  readonly #certificateAuthority: string | undefined;
  readonly #agent: PlainAgent;
  #signature: { readonly query: string; readonly madeMs: number } | undefined;

  private constructor(account: string, server: ManagementClient, certificateAuthority: string | undefined) {
    this.account = account;
    this.#server = server;
    this.#certificateAuthority = certificateAuthority;
    const options = { keepAlive: true, maxSockets: CONNECTIONS };
    this.#agent = server.baseUrl.startsWith("https:") ? new TlsAgent(options) : new PlainAgent(options);
  }

  /**
   * @param account  the account's name; without one the only account there is
   * @throws CommandFailure when the server doesn't run or the account has to be named
   */
  static async open(context: CommandContext, account: string | undefined): Promise<BlobAccess> {
    const server = await context.management("objects");
    const ca = await readFile(certificateAuthorityFile(await context.dataDirectory()), "utf8").catch(() => undefined);
    return new BlobAccess(account ?? (await onlyAccount(context)), server, ca);
  }

  /** The URL under which the server itself reads a blob: the source of a copy. */
  async sourceUrl(path: string): Promise<string> {
    return `${this.#server.baseUrl}/${this.account}${path}?${await this.#signed()}`;
  }

  /**
   * The answer, its body unread.
   *
   * @throws BlobFailure for a status of 400 or above
   */
  async send({ method, path, query = {}, headers = {}, body }: BlobRequest): Promise<IncomingMessage> {
    const { hostname, port, protocol } = new URL(this.#server.baseUrl);
    const own = new URLSearchParams(query).toString().replaceAll("+", "%20");
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      method,
      // Written out, not through a URL, which would resolve `..` in a blob's name.
      path: `/${this.account}${path}?${own === "" ? "" : `${own}&`}${await this.#signed()}`,
      headers: given({ "x-ms-version": VERSION, ...lengthOf(body), ...headers }),
      agent: this.#agent,
      ...(this.#certificateAuthority === undefined ? {} : { ca: this.#certificateAuthority }),
    };
    const outgoing = (protocol === "https:" ? requestTls : requestPlain)(options);
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve).once("error", reject);
    });
    if (body instanceof Readable) {
      // A server that refuses early closes its end; its answer says more than the broken pipe.
      void pipeline(body, outgoing).catch(() => undefined);
    } else {
      outgoing.end(body);
    }
    const answer = await answered;
    if ((answer.statusCode ?? 0) < 400) {
      return answer;
    }
    await buffer(answer).catch(() => undefined);
    outgoing.destroy();
    const code = String(answer.headers["x-ms-error-code"] ?? "");
    throw new BlobFailure(`${answer.statusMessage ?? "refused"} (${code || answer.statusCode})`, code);
  }

  /** As {@link send}, with the whole body read. */
  async read(request: BlobRequest): Promise<{ readonly answer: IncomingMessage; readonly text: string }> {
    const answer = await this.send(request);
    return { answer, text: (await buffer(answer)).toString("utf8") };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #signed(): Promise<string> {
    if (this.#signature === undefined || Date.now() - this.#signature.madeMs > RENEW_AFTER_MS) {
      const body = { permissions: "rwdlac", expiresInSeconds: VALID_SECONDS };
      const path = accountPath(this.account, "/sas");
      const { sas } = await this.#server.json<{ sas: string }>({ method: "POST", path, body });
      this.#signature = { query: sas, madeMs: Date.now() };
    }
    return this.#signature.query;
  }
}

const VERSION = "2026-10-06";

async function onlyAccount(context: CommandContext): Promise<string> {
  const names = (await listAccounts(context)).map(({ name }) => name);
  const [only] = names;
  if (only === undefined || names.length > 1) {
    throw new CommandFailure(`there are ${names.length} accounts, say --account: ${names.join(", ")}`);
  }
  return only;
}

function lengthOf(body: BlobRequest["body"]): Readonly<Record<string, string>> {
  return body instanceof Readable ? {} : { "content-length": String(body?.length ?? 0) };
}

function given(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
