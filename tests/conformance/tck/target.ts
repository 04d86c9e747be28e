import { type TckProcedure } from "./expectation.ts";
import { type TckValue } from "./tck-value.ts";

/** What the judge asks questions of: the engine in this process, or a server. */
export interface TckTarget {
  /** Empties the graph and forgets all procedures. */
  reset(): Promise<void>;
  defineProcedure(procedure: TckProcedure): Promise<void>;
  run(query: string, parameters: ReadonlyMap<string, TckValue>): Promise<TckOutcome>;
  observe(): Promise<ObservedGraph>;
  close(): Promise<void>;
}

export type TckOutcome =
  | { readonly kind: "rows"; readonly columns: readonly string[]; readonly rows: readonly (readonly TckValue[])[] }
  | {
      readonly kind: "error";
      /** Status code without its first word. */
      readonly code: string;
      readonly phase: string;
      readonly detail: string | undefined;
      readonly message: string;
    };

/** The graph as the TCK's side effects see it: what there is, each thing under a name of its own. */
export interface ObservedGraph {
  readonly nodes: ReadonlySet<string>;
  readonly relationships: ReadonlySet<string>;
  /** Names of labels that some node has. */
  readonly labels: ReadonlySet<string>;
  /** One element per entity, key and value. */
  readonly properties: ReadonlySet<string>;
  /** One element per node and label: not counted, but a failed statement must leave it alone, too. */
  readonly nodeLabels: ReadonlySet<string>;
}
