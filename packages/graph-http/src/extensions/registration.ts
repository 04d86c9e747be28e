import { type Engine, type ProcedureDefinition, type UserFunction } from "@trefoil/graph-engine";
import { type FastifyBaseLogger } from "fastify";
import { type DatabaseServices, createExtensionDatabase } from "./extension-database.ts";
import { functionOf, procedureOf } from "./extension-definitions.ts";
import { type ExtensionContext, type ExtensionHandler } from "./extension-module.ts";

/** A route as a module registered it, its path below the mount. */
export interface ExtensionRoute {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly handler: ExtensionHandler;
}

/**
 * What one module has registered. Procedures and functions reach the engine once the registration is active, and leave
 * it when that ends, so that modules can be exchanged as a whole or not at all.
 */
export class Registration {
  readonly packageName: string;
  readonly routes: ExtensionRoute[] = [];
  readonly #engine: Engine;
  readonly #procedures = new Map<string, ProcedureDefinition>();
  readonly #functions = new Map<string, UserFunction>();
  #state: "collecting" | "active" | "ended" = "collecting";

  constructor(packageName: string, engine: Engine) {
    this.packageName = packageName;
    this.#engine = engine;
  }

  get procedureNames(): readonly string[] {
    return [...this.#procedures.keys()].sort();
  }

  get functionNames(): readonly string[] {
    return [...this.#functions.values()].map(({ name }) => name).sort();
  }

  /** Takes effect: what was collected is defined. @throws Error  for names that belong to somebody else */
  activate(): void {
    this.#state = "active";
    for (const definition of this.#procedures.values()) {
      this.#refuseForeign("procedure", definition.name, this.#engine.procedures.find(definition.name));
      this.#engine.procedures.define(definition);
    }
    for (const [key, definition] of this.#functions) {
      this.#refuseForeign("function", definition.name, this.#engine.functions.find(key, "modern"));
      this.#engine.functions.define(definition);
    }
  }

  /** What the engine has of this module is taken out of it. */
  end(): void {
    if (this.#state === "active") {
      for (const [name, definition] of this.#procedures) {
        if (this.#engine.procedures.find(name) === definition) {
          this.#engine.procedures.remove(name);
        }
      }
      for (const name of this.#functions.keys()) {
        this.#engine.functions.remove(name);
      }
    }
    this.#state = "ended";
  }

  /** What the module's `register` is called with. */
  contextFor(services: DatabaseServices, log: FastifyBaseLogger): ExtensionContext {
    const route =
      (method: ExtensionRoute["method"]) =>
      (path: string, handler: ExtensionHandler): void => {
        if (this.#state !== "collecting") {
          throw new Error("routes are registered while the module is loaded, not later");
        }
        if (typeof path !== "string" || typeof handler !== "function") {
          throw new TypeError("a route needs a path and a handler");
        }
        this.routes.push({ method, path, handler });
      };
    return {
      get: route("GET"),
      put: route("PUT"),
      post: route("POST"),
      delete: route("DELETE"),
      procedures: {
        define: (procedure) => this.#defineProcedure(procedureOf(procedure, services)),
        remove: (name) => this.#removeProcedure(name),
      },
      functions: {
        define: (definition) => this.#defineFunction(functionOf(definition)),
        remove: (name) => this.#removeFunction(name.toLowerCase()),
      },
      database: createExtensionDatabase(services),
      log,
    };
  }

  #defineProcedure(definition: ProcedureDefinition): void {
    this.#refuseEnded();
    if (this.#state === "active") {
      const present = this.#engine.procedures.find(definition.name);
      this.#refuseForeign("procedure", definition.name, this.#procedures.has(definition.name) ? undefined : present);
      this.#engine.procedures.define(definition);
    }
    this.#procedures.set(definition.name, definition);
  }

  #removeProcedure(name: string): boolean {
    const removed = this.#procedures.delete(name);
    if (removed && this.#state === "active") {
      this.#engine.procedures.remove(name);
    }
    return removed;
  }

  #defineFunction(definition: UserFunction): void {
    this.#refuseEnded();
    const key = definition.name.toLowerCase();
    if (this.#state === "active") {
      const present = this.#engine.functions.find(key, "modern") ?? this.#engine.functions.find(key, "2.3");
      this.#refuseForeign("function", definition.name, this.#functions.has(key) ? undefined : present);
      this.#engine.functions.define(definition);
    }
    this.#functions.set(key, definition);
  }

  #removeFunction(key: string): boolean {
    const removed = this.#functions.delete(key);
    if (removed && this.#state === "active") {
      this.#engine.functions.remove(key);
    }
    return removed;
  }

  #refuseForeign(what: string, name: string, present: object | undefined): void {
    if (present !== undefined) {
      throw new Error(`the ${what} ${name} exists already and is not this module's`);
    }
  }

  #refuseEnded(): void {
    if (this.#state === "ended") {
      throw new Error("this module was unloaded");
    }
  }
}
