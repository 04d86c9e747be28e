import { isDeepStrictEqual } from "node:util";

type Outcomes = Readonly<Record<string, unknown>>;

/** Client × operation, as it was seen: printed at the end of a run. */
export class OperationMatrix {
  readonly #columns = new Map<string, ReadonlyMap<string, boolean>>();
  readonly #skipped = new Map<string, string>();

  /** @param found  what came of each operation; @param expected  what should have */
  record(client: string, found: Outcomes, expected: Outcomes): void {
    const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
    const marks = [...names].map((name) => [name, isDeepStrictEqual(found[name], expected[name])] as const);
    this.#columns.set(client, new Map(marks));
  }

  skip(client: string, reason: string): void {
    this.#skipped.set(client, reason);
  }

  /** A row per operation, a column per client: `✓`, `✗`, or `·` where a client was not asked for it. */
  toString(): string {
    const operations = [...new Set([...this.#columns.values()].flatMap((column) => [...column.keys()]))];
    const mark = (worked: boolean | undefined): string => (worked === undefined ? "·" : worked ? "✓" : "✗");
    const rows = [
      ["", ...this.#columns.keys()],
      ...operations.map((name) => [name, ...[...this.#columns.values()].map((column) => mark(column.get(name)))]),
    ];
    const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
    const lines = rows.map((row) => row.map((text, index) => text.padEnd(widths[index] ?? 0)).join("  "));
    const skipped = [...this.#skipped].map(([client, reason]) => `${client}: skipped, ${reason}`);
    return [...lines, ...skipped].map((line) => line.trimEnd()).join("\n");
  }
}
