import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfiguration } from "@trefoil/config";
import { createLogger } from "@trefoil/http";
import { ensureCliToken, type InitialCredentials } from "@trefoil/installation";
import { startStorageServer } from "@trefoil/storage-server";

/** The object store with a data folder of its own, as its process starts it. */
export class ObjectsUnderTest {
  readonly directory: string;
  /** `http://127.0.0.1:10000` */
  readonly url: string;
  /** The same over https. */
  readonly secureUrl: string;
  readonly credentials: InitialCredentials["objects"];
  readonly #close: () => Promise<void>;

  private constructor(
    url: string,
    secureUrl: string,
    directory: string,
    credentials: InitialCredentials["objects"],
    close: () => Promise<void>,
  ) {
    this.url = url;
    this.secureUrl = secureUrl;
    this.directory = directory;
    this.credentials = credentials;
    this.#close = close;
  }

  /** @param shared  the data folder of another server, to trust its authority; default: a folder of its own */
  static async start(overrides: Readonly<Record<string, string>> = {}, shared?: string): Promise<ObjectsUnderTest> {
    const directory = shared ?? (await mkdtemp(path.join(tmpdir(), "trefoil-objects-")));
    const configuration = await loadConfiguration({
      workingDirectory: directory,
      environment: {},
      overrides: {
        "data.directory": directory,
        "objects.http.port": "0",
        "objects.https.port": "0",
        ...overrides,
      },
    });
    const server = await startStorageServer({
      configuration,
      dataDirectory: directory,
      logger: createLogger({ name: "objects", level: "silent", pretty: false }),
      cliToken: await ensureCliToken(directory),
    });
    const file = await readFile(path.join(directory, "initial-credentials.json"), "utf8");
    const { objects } = JSON.parse(file) as InitialCredentials;
    const portOf = (wanted: string): number => server.addresses.find(({ protocol }) => protocol === wanted)!.port;
    const [url, secureUrl] = [`http://127.0.0.1:${portOf("http")}`, `https://localhost:${portOf("https")}`];
    return new ObjectsUnderTest(url, secureUrl, directory, objects, () => server.close());
  }

  async close(): Promise<void> {
    await this.#close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
