import { type JsonValue } from "../json/json-reader.ts";

/**
 * Where the jobs of a batch have put what they made. `{7}` in the address or the body of a later job stands for the
 * location that job 7 was answered with; braces around anything else stay as they are, since statements have
 * parameters in braces too.
 */
export class JobReferences {
  readonly #locations = new Map<string, string>();

  add(id: JsonValue | undefined, location: string | undefined): void {
    if (location !== undefined && (typeof id === "number" || typeof id === "bigint")) {
      this.#locations.set(String(id), location);
    }
  }

  resolve(text: string): string {
    return this.#locations.size === 0
      ? text
      : text.replace(/\{(\d+)\}/g, (reference, id: string) => this.#locations.get(id) ?? reference);
  }
}
