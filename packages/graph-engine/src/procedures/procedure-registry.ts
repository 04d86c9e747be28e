import { type ProcedureDefinition } from "./procedure.ts";

/** Finds procedures by name; the binder's view of the registry. */
export interface ProcedureCatalog {
  find(name: string): ProcedureDefinition | undefined;
  names(): readonly string[];
}

/** The procedures of an engine: they come and go while it runs, and plans made before take notice. */
export class ProcedureRegistry implements ProcedureCatalog {
  readonly #definitions: Map<string, ProcedureDefinition> = new Map<string, ProcedureDefinition>();
  readonly #changed: () => void;

  /** @param changed  called after every definition and removal */
  constructor(builtIn: readonly ProcedureDefinition[], changed: () => void) {
    this.#changed = changed;
    builtIn.forEach((definition) => this.#definitions.set(definition.name, definition));
  }

  find(name: string): ProcedureDefinition | undefined {
    return this.#definitions.get(name);
  }

  names(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  all(): readonly ProcedureDefinition[] {
    return [...this.#definitions.values()];
  }

  /** Replaces one of the same name. */
  define(definition: ProcedureDefinition): void {
    this.#definitions.set(definition.name, definition);
    this.#changed();
  }

  /** @returns  whether there was one */
  remove(name: string): boolean {
    const removed = this.#definitions.delete(name);
    this.#changed();
    return removed;
  }
}
