import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";

/** What came to the client: the path, and the parameters of the query or of the form. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A client with a web address: takes what the browser brings, and answers with a page that says so. */
export class RelyingParty {
  readonly arrivals: Arrival[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const url = new URL(request.url ?? "/", "http://localhost");
        if (url.pathname !== "/favicon.ico") {
          const form = new URLSearchParams(Buffer.concat(chunks).toString());
          const parameters = Object.fromEntries([...url.searchParams, ...form]);
          this.arrivals.push({ method: request.method ?? "", path: url.pathname, parameters });
        }
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end("<!doctype html><title>The application</title><h1>Back at the application</h1>");
      });
    });
  }

  static async start(): Promise<RelyingParty> {
    const party = new RelyingParty();
    await new Promise<void>((resolve) => party.#server.listen(0, "localhost", resolve));
    return party;
  }

  /** Without a final slash. */
  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The last that came to a path. */
  arrivalAt(path: string): Arrival {
    const arrival = this.arrivals.findLast((each) => each.path === path);
    if (arrival === undefined) {
      throw new Error(`nothing came to ${path}; to others: ${this.arrivals.map((each) => each.path).join()}`);
    }
    return arrival;
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

/** RFC 7636 §4.1, §4.2 */
export function createPkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}
