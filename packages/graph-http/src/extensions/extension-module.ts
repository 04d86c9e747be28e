import { type FastifyBaseLogger } from "fastify";
import { type IncomingHttpHeaders } from "node:http";
import { type Role } from "../authentication/roles.ts";
import { type ExtensionDatabase, type ExtensionQuery } from "./extension-database.ts";

/** What a module in the plugins directory exports. It runs in the server's process and is trusted as plugins are. */
export interface ExtensionModule {
  readonly register: (context: ExtensionContext) => unknown;
}

/** What a module is handed to register with; also good for later, as long as the module is loaded. */
export interface ExtensionContext {
  /** Below the mount, with `{name}` for a segment that may be anything. */
  get(path: string, handler: ExtensionHandler): void;
  put(path: string, handler: ExtensionHandler): void;
  post(path: string, handler: ExtensionHandler): void;
  delete(path: string, handler: ExtensionHandler): void;
  readonly procedures: Definitions<ExtensionProcedure>;
  readonly functions: Definitions<ExtensionFunction>;
  readonly database: ExtensionDatabase;
  readonly log: FastifyBaseLogger;
}

/** Things by name; a module replaces and removes its own only. */
export interface Definitions<Definition> {
  /** @throws Error  when the definition is wrong or its name belongs to somebody else */
  define(definition: Definition): void;
  /** @returns  whether there was one */
  remove(name: string): boolean;
}

/**
 * Answers a request. `body` is the JSON value sent, a text of another type, or undefined.
 *
 * @returns  a JSON value (200), nothing (204), or `{status, headers, body}`
 * @throws   an error with a `status` for everything else
 */
export type ExtensionHandler = (body: unknown, request: ExtensionRequest) => unknown;

export interface ExtensionRequest {
  readonly method: string;
  /** Without the query, still percent-encoded. */
  readonly path: string;
  /** What stood in the place of each `{name}`, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** `scheme://host[:port]` as the client knows the server. */
  readonly baseUrl: string;
  /** Who asks; undefined while authentication is off. */
  readonly user: string | undefined;
  /** What that user may do; statements of the module itself may do everything. */
  readonly role: Role | undefined;
}

/** An argument or an output: `type` is a type name of the language, such as `INTEGER` or `LIST<STRING>`. */
export interface ExtensionField {
  readonly name: string;
  readonly type: string;
  /** True when not said. */
  readonly nullable?: boolean;
}

export interface ExtensionProcedure {
  readonly name: string;
  readonly description?: string;
  /** `read` when not said. */
  readonly mode?: "read" | "write";
  readonly inputs?: readonly ExtensionField[];
  readonly outputs?: readonly ExtensionField[];
  /** Rows are arrays in the order of `outputs`; `statement.query` runs in the caller's transaction. */
  readonly call: (
    args: readonly unknown[],
    statement: { readonly query: ExtensionQuery },
  ) => Iterable<readonly unknown[]> | Promise<Iterable<readonly unknown[]>> | void;
}

export interface ExtensionFunction {
  readonly name: string;
  readonly description?: string;
  readonly inputs?: readonly ExtensionField[];
  /** One field: what the function gives. */
  readonly outputs?: readonly ExtensionField[];
  /** Whether equal arguments always give equal results; true when not said. */
  readonly deterministic?: boolean;
  readonly call: (args: readonly unknown[]) => unknown;
}
