import { type JsonValue, parseJson, writeJson } from "@trefoil/graph-http";
import path from "node:path";
import { System } from "../../system/system.ts";
import { type TckProcedure } from "./expectation.ts";
import { fromHttp, type JsonMap, listOf, mapOf, textOf, toHttp } from "./http-values.ts";
import { type ObservedGraph, type TckOutcome, type TckTarget } from "./target.ts";
import { canonicalText, type TckValue } from "./tck-value.ts";

/**
 * A server of its own, asked through the transactional endpoint. Procedures come through an extension module's route;
 * an error is of compile time when `EXPLAIN` raises it too (rulings, Graph 5).
 */
export class HttpTarget implements TckTarget {
  readonly #system: System;
  readonly #baseUrl: string;

  private constructor(system: System) {
    this.#system = system;
    this.#baseUrl = system.baseUrl("graph");
  }

  static async start(): Promise<HttpTarget> {
    const properties = {
      "graph.auth_enabled": "false",
      "graph.plugins.directory": path.join(import.meta.dirname, "plugins"),
      "org.example.thirdparty_jaxrs_classes": "tck-procedures=/tck",
    };
    return new HttpTarget(await System.start({ only: ["graph"], properties }));
  }

  async reset(): Promise<void> {
    await this.#query("MATCH (n) DETACH DELETE n");
    await this.#send("DELETE", "/tck/procedures", undefined);
  }

  async defineProcedure({ name, inputs, outputs, rows }: TckProcedure): Promise<void> {
    const fields = (of: TckProcedure["inputs"]): JsonValue =>
      of.map((field) => new Map<string, JsonValue>(Object.entries(field)));
    const body = new Map<string, JsonValue>([
      ["inputs", fields(inputs)],
      ["outputs", fields(outputs)],
      ["rows", rows.map((row) => row.map(toHttp))],
    ]);
    await this.#send("PUT", `/tck/procedures/${name}`, body);
  }

  async run(query: string, parameters: ReadonlyMap<string, TckValue>): Promise<TckOutcome> {
    const answer = await this.#statement(query, parameters);
    const error = firstError(answer);
    if (error !== undefined) {
      const explained = firstError(await this.#statement(`EXPLAIN ${query}`, parameters));
      const phase = explained !== undefined && textOf(explained.get("code")) === textOf(error.get("code"));
      return {
        kind: "error",
        code: textOf(error.get("code")).replace(/^Graph\./, ""),
        phase: phase ? "compile time" : "runtime",
        detail: error.has("detail") ? textOf(error.get("detail")) : undefined,
        message: textOf(error.get("message")),
      };
    }
    const result = mapOf(listOf(answer.get("results"))[0]);
    const rows = listOf(result.get("data")).map((entry) => fromHttp(mapOf(entry)));
    return { kind: "rows", columns: listOf(result.get("columns")).map(textOf), rows };
  }

  async observe(): Promise<ObservedGraph> {
    const seen = {
      nodes: new Set<string>(),
      relationships: new Set<string>(),
      labels: new Set<string>(),
      properties: new Set<string>(),
      nodeLabels: new Set<string>(),
    };
    for (const [id, labels, node] of await this.#query("MATCH (n) RETURN id(n), labels(n), n")) {
      const name = `node ${canonicalText(id!, false)}`;
      seen.nodes.add(name);
      for (const label of itemsOf(labels!)) {
        seen.labels.add(canonicalText(label, false));
        seen.nodeLabels.add(`${name} ${canonicalText(label, false)}`);
      }
      addProperties(seen.properties, name, node!);
    }
    for (const [id, relationship] of await this.#query("MATCH ()-[r]->() RETURN id(r), r")) {
      const name = `relationship ${canonicalText(id!, false)}`;
      seen.relationships.add(name);
      addProperties(seen.properties, name, relationship!);
    }
    return seen;
  }

  async close(): Promise<void> {
    await this.#system.stop();
  }

  async #query(text: string): Promise<readonly (readonly TckValue[])[]> {
    const outcome = await this.run(text, new Map());
    if (outcome.kind === "error") {
      throw new Error(outcome.message);
    }
    return outcome.rows;
  }

  #statement(text: string, parameters: ReadonlyMap<string, TckValue>): Promise<JsonMap> {
    const statement = new Map<string, JsonValue>([
      ["statement", text],
      ["parameters", new Map([...parameters].map(([name, value]) => [name, toHttp(value)]))],
      ["resultDataContents", ["rest", "graph"]],
    ]);
    return this.#send("POST", "/db/data/transaction/commit", new Map([["statements", [statement]]]));
  }

  async #send(method: string, url: string, body: JsonMap | undefined): Promise<JsonMap> {
    const answer = await fetch(this.#baseUrl + url, {
      method,
      ...(body === undefined ? {} : { body: writeJson(body, "compact") }),
      headers: { "content-type": "application/json", accept: "application/json" },
    });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${method} ${url} was answered ${answer.status}: ${text}`);
    }
    return text === "" ? new Map() : mapOf(parseJson(text));
  }
}

function firstError(answer: JsonMap): JsonMap | undefined {
  const [error] = listOf(answer.get("errors"));
  return error === undefined ? undefined : mapOf(error);
}

function itemsOf(value: TckValue): readonly TckValue[] {
  return value.kind === "list" ? value.items : [];
}

function addProperties(properties: Set<string>, name: string, entity: TckValue): void {
  if (entity.kind === "node" || entity.kind === "relationship") {
    for (const [key, value] of entity.properties) {
      properties.add(`${name} ${key} ${canonicalText(value, false)}`);
    }
  }
}
