import { signal, type ReadonlySignal } from "@preact/signals";

/** Parameters that every statement is sent with: names and JSON texts. They last as long as the page. */
export class Parameters {
  readonly #all = signal<ReadonlyMap<string, string>>(new Map());

  get all(): ReadonlySignal<ReadonlyMap<string, string>> {
    return this.#all;
  }

  set(name: string, json: string): void {
    this.#all.value = new Map([...this.#all.value, [name, json]]);
  }

  replaceAll(parameters: ReadonlyMap<string, string>): void {
    this.#all.value = parameters;
  }

  remove(name: string): void {
    this.#all.value = new Map([...this.#all.value].filter(([each]) => each !== name));
  }
}
