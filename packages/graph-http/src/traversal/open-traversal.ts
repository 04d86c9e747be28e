import { type GraphAccess } from "@trefoil/graph-engine";
import { type RestCall } from "../rest/rest-call.ts";
import { badInput } from "../rest/rest-error.ts";
import { type JsonMap, readInput, readMap } from "../rest/rest-input.ts";
import { type Branch } from "./branch.ts";
import { cooperatively } from "../protocol/cooperatively.ts";
import { ScriptSandbox } from "./scripts/script-sandbox.ts";
import { readTraversal } from "./traversal-description.ts";
import { traversalStart } from "./traversal-start.ts";
import { traverse } from "./traverse.ts";

/**
 * A traversal with what it holds: between two requests it holds nothing of the store, since it reads through whatever
 * call it is continued by.
 */
export class OpenTraversal {
  readonly #places: Iterator<Branch | undefined>;
  readonly #sandbox: ScriptSandbox | undefined;
  readonly #follow: (call: RestCall) => void;

  private constructor(
    places: Iterator<Branch | undefined>,
    sandbox: ScriptSandbox | undefined,
    follow: (call: RestCall) => void,
  ) {
    this.#places = places;
    this.#sandbox = sandbox;
    this.#follow = follow;
  }

  /**
   * The traversal that the body of `call` describes.
   *
   * @param scripting  whether it may carry scripts (`graph.scripting`)
   * @throws RestError 400 for a description that is none, 404 for a start that there is not
   */
  static async open(call: RestCall, scripting: boolean): Promise<OpenTraversal> {
    const description = readDescription(call);
    const start = traversalStart(call);
    let current = call;
    const graph: GraphAccess = {
      get view() {
        return current.unit.view;
      },
      tokens: call.unit.tokens,
    };
    const sandbox = scripting ? await ScriptSandbox.open(graph, () => performance.now()) : undefined;
    try {
      const places = traverse(readTraversal(start, description, graph, sandbox));
      return new OpenTraversal(places, sandbox, (next) => {
        current = next;
      });
    } catch (error) {
      sandbox?.dispose();
      throw error;
    }
  }

  /** The next places, at most `count`, as `call` sees them. */
  async take(count: number, call: RestCall): Promise<Branch[]> {
    const page: Branch[] = [];
    for await (const branch of this.places(call)) {
      if (branch !== undefined && page.push(branch) === count) {
        break;
      }
    }
    return page;
  }

  /** All that are left; a caller that stops early may go on later. */
  places(call: RestCall): AsyncGenerator<Branch | undefined, void, undefined> {
    this.#follow(call);
    const places = this.#places;
    // An iterator without a `return`: leaving the loop early must not end the traversal.
    return cooperatively({ [Symbol.iterator]: () => ({ next: () => places.next() }) }, call.signal);
  }

  close(): void {
    this.#sandbox?.dispose();
  }
}

/** An empty body describes the traversal that is usual; `null` describes none. */
function readDescription(call: RestCall): JsonMap {
  if (readInput(call, EMPTY) === null) {
    throw badInput({ exception: "NullPointerException", message: null });
  }
  return readMap(call);
}

const EMPTY: JsonMap = new Map();
