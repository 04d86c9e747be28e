import { type Variable } from "./variable.ts";

/** The names that an expression can use; inner scopes (comprehensions, subqueries) see outer ones. */
export class Scope {
  readonly #outer: Scope | undefined;
  readonly #variables: Map<string, Variable> = new Map<string, Variable>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  static of(variables: Iterable<Variable>, outer?: Scope): Scope {
    const scope = new Scope(outer);
    for (const variable of variables) {
      scope.declare(variable);
    }
    return scope;
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.#outer?.find(name);
  }

  /** Hides an outer or earlier variable of the same name. */
  declare(variable: Variable): void {
    this.#variables.set(variable.name, variable);
  }

  /** Everything that can be named, outermost and oldest first. */
  variables(): readonly Variable[] {
    const all = new Map((this.#outer?.variables() ?? []).map((variable) => [variable.name, variable]));
    for (const [name, variable] of this.#variables) {
      all.set(name, variable);
    }
    return [...all.values()];
  }
}
