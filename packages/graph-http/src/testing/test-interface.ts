import { ManualClock } from "@trefoil/base";
import { createEngine, type Mode } from "@trefoil/graph-engine";
import { type GraphStore, openGraphStore } from "@trefoil/graph-store";
import fastify, { type FastifyInstance } from "fastify";
import { AccountStore } from "../authentication/account-store.ts";
import { type JaxrsOptions } from "../extensions/jaxrs/jaxrs-process.ts";
import { ExtensionHost } from "../extensions/extension-host.ts";
import { type GraphInterface, registerGraphInterface } from "../graph-interface.ts";
import { SERVER_OPTIONS } from "../protocol/server-options.ts";

/** A whole interface over a store in memory, listening on a port of the system's choice. */
export interface TestInterface {
  readonly app: FastifyInstance;
  readonly store: GraphStore;
  readonly clock: ManualClock;
  readonly graph: GraphInterface;
  readonly extensions: ExtensionHost;
  readonly accounts: AccountStore | undefined;
  readonly accessLog: readonly string[];
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  close(): Promise<void>;
}

export interface TestInterfaceOptions {
  readonly mode?: Mode;
  /** With one, authentication is on and the first account has this password. */
  readonly password?: string;
  readonly maximumBodyBytes?: number;
  readonly scripting?: boolean;
  /** A built console. */
  readonly consoleDirectory?: string;
  /** A plugins directory. */
  readonly plugins?: string;
  readonly jaxrs?: JaxrsOptions;
  readonly mounts?: readonly { readonly packageName: string; readonly mountPath: string }[];
}

export async function startTestInterface(options: TestInterfaceOptions = {}): Promise<TestInterface> {
  const clock = new ManualClock(Date.UTC(2015, 10, 20, 12, 2, 25));
  const mode = options.mode ?? "modern";
  const store = await openGraphStore({ clock });
  const engine = createEngine({ store, clock, mode });
  const app = fastify(SERVER_OPTIONS);
  const accounts = options.password === undefined ? undefined : await openAccounts(options.password);
  const accessLog: string[] = [];
  const extensions = new ExtensionHost({
    store,
    engine,
    mode,
    statementTimeoutMs: undefined,
    directory: options.plugins ?? "/nonexistent",
    mounts: options.mounts ?? [],
    log: app.log,
    jaxrs: options.jaxrs,
  });
  const graph = registerGraphInterface(app, {
    store,
    engine,
    clock,
    accounts,
    allowedHosts: ["*"],
    mode,
    statusCodePrefix: "Graph",
    reportedVersion: "2.3.12",
    scripting: options.scripting,
    transactionTimeoutMs: 60_000,
    maximumBodyBytes: options.maximumBodyBytes ?? 1_000_000,
    extensions,
    consoleDirectory: options.consoleDirectory,
    writeAccessLog: (line) => accessLog.push(line),
    management: {
      isOwner: ({ headers }) => headers["x-owner"] === "yes",
      importFiles: (files) => store.importCsv(files),
    },
  });
  await extensions.load();
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    app,
    store,
    clock,
    graph,
    extensions,
    accounts,
    accessLog,
    baseUrl,
    close: async () => {
      graph.close();
      extensions.close();
      await app.close();
      await store.close();
    },
  };
}

function openAccounts(password: string): Promise<AccountStore> {
  let kept: string | undefined;
  return AccountStore.open(
    {
      name: "accounts in memory",
      read: () => Promise.resolve(kept),
      replace: (text) => {
        kept = text;
        return Promise.resolve();
      },
    },
    password,
  );
}
