import { signal, type ReadonlySignal } from "@preact/signals";
import { type Catalogue, EMPTY_CATALOGUE, readCatalogue } from "../server/catalogue.ts";
import { type GraphServer } from "../server/graph-server.ts";

/** The newest catalogue; asked for again after what may have changed it, one request at a time. */
export class CatalogueState {
  readonly #server: GraphServer;
  readonly #current = signal<Catalogue>(EMPTY_CATALOGUE);
  #running: Promise<void> | undefined;
  #isStale = false;

  constructor(server: GraphServer) {
    this.#server = server;
  }

  get current(): ReadonlySignal<Catalogue> {
    return this.#current;
  }

  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#running ??= this.#readWhileStale();
    await this.#running;
  }

  async #readWhileStale(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.#current.value = await readCatalogue(this.#server);
      }
    } catch {
      // The side bar keeps what it knew; the state of the connection is shown elsewhere.
    } finally {
      this.#running = undefined;
    }
  }
}
