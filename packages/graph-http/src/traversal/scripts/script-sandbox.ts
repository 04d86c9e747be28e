import { type GraphAccess } from "@trefoil/graph-engine";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { writeJson } from "../../json/json-writer.ts";
import { RestError } from "../../rest/rest-error.ts";
import { type Branch, pathOf } from "../branch.ts";
import { askGraph } from "./ask-graph.ts";
import { SCRIPT_PRELUDE } from "./script-prelude.ts";

/** Of one evaluation, so that a script that never ends ends. */
const EVALUATION_LIMIT_MS = 250;
/** Of all evaluations of one traversal together. */
const TRAVERSAL_LIMIT_MS = 5_000;
const MEMORY_LIMIT_BYTES = 16 * 1024 * 1024;
const STACK_LIMIT_BYTES = 256 * 1024;
const SCRIPT_LIMIT = 64 * 1024;

/**
 * Runs the scripts of one traversal in an interpreter of their own: no files, no network, no clock but the language's,
 * nothing of this process; of the graph only what {@link askGraph} answers. Time and memory are bounded
 * (docs/decisions/0140).
 */
export class ScriptSandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #handles: QuickJSHandle[] = [];
  readonly #nowMs: () => number;
  #remainingMs = TRAVERSAL_LIMIT_MS;
  #deadlineMs = Number.POSITIVE_INFINITY;

  private constructor(module: QuickJSWASMModule, graph: GraphAccess, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#runtime = module.newRuntime();
    this.#runtime.setMemoryLimit(MEMORY_LIMIT_BYTES);
    this.#runtime.setMaxStackSize(STACK_LIMIT_BYTES);
    this.#runtime.setInterruptHandler(() => this.#nowMs() > this.#deadlineMs);
    this.#context = this.#runtime.newContext();
    const ask = this.#context.newFunction("__ask", (question, kind, id, name) => {
      const { getString, getNumber } = this.#context;
      const value = askGraph(
        graph,
        getString.call(this.#context, question),
        getString.call(this.#context, kind) === "node" ? "node" : "relationship",
        getNumber.call(this.#context, id),
        getString.call(this.#context, name),
      );
      return value === undefined ? this.#context.undefined : this.#context.newString(writeJson(value, "compact"));
    });
    this.#context.setProp(this.#context.global, "__ask", ask);
    ask.dispose();
    this.#context.unwrapResult(this.#context.evalCode(SCRIPT_PRELUDE, "prelude.js")).dispose();
  }

  /**
   * @param graph   what scripts see; read at every question, so it may follow its transaction
   * @param nowMs   a clock that runs on while a script does
   */
  static async open(graph: GraphAccess, nowMs: () => number): Promise<ScriptSandbox> {
    return new ScriptSandbox(await loadInterpreter(), graph, nowMs);
  }

  /**
   * What a script says about a place.
   *
   * @throws RestError 400 `EvaluationException` at once when it is no JavaScript, later when it fails or says neither
   *   true nor false
   */
  predicate(text: string): (branch: Branch) => boolean {
    if (text.length > SCRIPT_LIMIT) {
      throw evaluationError(`A script has at most ${SCRIPT_LIMIT} characters.`);
    }
    const context = this.#context;
    const compile = context.getProp(context.global, "__compile");
    const source = context.newString(text);
    const script = this.#run(() => context.callFunction(compile, context.undefined, source));
    this.#handles.push(script);
    compile.dispose();
    source.dispose();
    return (branch) => {
      const { nodes, relationships } = pathOf(branch);
      const given = [context.newString(JSON.stringify(nodes)), context.newString(JSON.stringify(relationships))];
      try {
        const answer = this.#run(() => context.callFunction(script, context.undefined, ...given));
        const value: unknown = context.typeof(answer) === "boolean" ? context.dump(answer) : undefined;
        answer.dispose();
        if (typeof value !== "boolean") {
          throw evaluationError("Provided script did not return a boolean value.");
        }
        return value;
      } finally {
        given.forEach((handle) => handle.dispose());
      }
    };
  }

  dispose(): void {
    this.#handles.splice(0).forEach((handle) => handle.dispose());
    this.#context.dispose();
    this.#runtime.dispose();
  }

  #run(call: () => ReturnType<QuickJSContext["callFunction"]>): QuickJSHandle {
    const startMs = this.#nowMs();
    const limitMs = Math.min(EVALUATION_LIMIT_MS, this.#remainingMs);
    this.#deadlineMs = startMs + limitMs;
    const result = call();
    const tookMs = this.#nowMs() - startMs;
    this.#remainingMs -= tookMs;
    if (result.error === undefined) {
      return result.value;
    }
    const cause: unknown = this.#context.dump(result.error);
    result.error.dispose();
    const isSlow = tookMs > limitMs || this.#remainingMs <= 0;
    throw failedScript(isSlow ? TOO_SLOW : messageOf(cause));
  }
}

const TOO_SLOW = "The script took longer than this server allows.";

function messageOf(cause: unknown): string {
  if (typeof cause === "object" && cause !== null && "message" in cause) {
    return `${"name" in cause ? String(cause.name) : "Error"}: ${String(cause.message)}`;
  }
  return String(cause);
}

function failedScript(cause: string): RestError {
  const message = "Failed to execute script, see nested exception.";
  const code = cause.startsWith(MISSING_PROPERTY) ? "ClientError.Statement.NoSuchProperty" : undefined;
  return new RestError(400, [
    { exception: "EvaluationException", message, code },
    { exception: "RuntimeException", message: cause },
  ]);
}

/** What the prelude calls it when a property is asked for that is not there. */
const MISSING_PROPERTY = "NotFoundException:";

function evaluationError(message: string): RestError {
  return new RestError(400, [{ exception: "EvaluationException", message }]);
}

let interpreter: Promise<QuickJSWASMModule> | undefined;

/** Loaded when the first script comes: most servers never see one. */
function loadInterpreter(): Promise<QuickJSWASMModule> {
  interpreter ??= newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"));
  return interpreter;
}
