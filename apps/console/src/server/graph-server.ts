import { signal, type ReadonlySignal } from "@preact/signals";

/** One answer of the server, whatever its status. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** From the request to the last byte of the answer. */
  readonly durationMs: number;
}

export interface ServerRequest {
  readonly method?: string | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How the console reaches its server: same origin, with the credentials of whoever signed in. */
export class GraphServer {
  #authorization: string | undefined;
  readonly #isReachable = signal(true);
  /** Called when an answer says that the credentials are not, or no longer, good. */
  onUnauthorized: () => void = () => undefined;

  /** Whether the last request got an answer. */
  get isReachable(): ReadonlySignal<boolean> {
    return this.#isReachable;
  }

  get authorization(): string | undefined {
    return this.#authorization;
  }

  set authorization(header: string | undefined) {
    this.#authorization = header;
  }

  /**
   * @param path  absolute path with its query
   * @throws UnreachableError when there is no answer; `AbortError` when `signal` fired
   */
  async send(path: string, { method = "GET", body, signal: abort }: ServerRequest = {}): Promise<ServerAnswer> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.#authorization !== undefined) {
      headers["Authorization"] = this.#authorization;
    }
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
    }
    const startedAtMs = performance.now();
    let answer: ServerAnswer;
    try {
      const response = await fetch(path, {
        method,
        headers,
        credentials: "omit",
        redirect: "follow",
        ...(body === undefined ? {} : { body }),
        ...(abort === undefined ? {} : { signal: abort }),
      });
      const text = await response.text();
      answer = {
        status: response.status,
        headers: response.headers,
        text,
        durationMs: performance.now() - startedAtMs,
      };
    } catch (error) {
      if (abort?.aborted === true) {
        throw error;
      }
      this.#isReachable.value = false;
      throw new UnreachableError("The server does not answer.", { cause: error });
    }
    this.#isReachable.value = true;
    if (answer.status === 401 && this.#authorization !== undefined) {
      this.onUnauthorized();
    }
    return answer;
  }
}

export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

export function basicAuthorization(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}
