/** What one client did in one flow on one version of the endpoints. */
export interface Cell {
  readonly flow: string;
  readonly version: 1 | 2;
  /** An access or id token that came out. */
  readonly token?: string;
  /** Something else that came out. */
  readonly fact?: unknown;
  /** Why nothing came out. */
  readonly failure?: string;
}

/** Client × flow × version of the endpoints, as it was seen. */
export class Matrix {
  readonly #columns = new Map<string, readonly Cell[] | string>();

  record(client: string, cells: readonly Cell[]): void {
    this.#columns.set(client, cells);
  }

  skip(client: string, reason: string): void {
    this.#columns.set(client, reason);
  }

  /** A row per flow, a column per client, with the versions that worked: `1`, `2` or `1 2`; `✗` marks a failure. */
  toString(): string {
    const columns = [...this.#columns].flatMap(([client, cells]) =>
      typeof cells === "string" ? [] : [{ client, cells }],
    );
    const flows = [...new Set(columns.flatMap(({ cells }) => cells.map(({ flow }) => flow)))].toSorted();
    const rows = [
      ["", ...columns.map(({ client }) => client)],
      ...flows.map((flow) => [
        flow,
        ...columns.map(
          ({ cells }) =>
            cells
              .filter((cell) => cell.flow === flow)
              .map(mark)
              .join(" ") || "·",
        ),
      ]),
    ];
    const skipped = [...this.#columns].flatMap(([client, reason]) =>
      typeof reason === "string" ? [`${client}: skipped, ${reason}`] : [],
    );
    return [...rows.map((row) => row.map((text, column) => text.padEnd(width(rows, column))).join("  ")), ...skipped]
      .map((line) => line.trimEnd())
      .join("\n");
  }
}

function mark({ version, failure }: Cell): string {
  return failure === undefined ? String(version) : `✗${version}`;
}

function width(rows: readonly (readonly string[])[], column: number): number {
  return Math.max(...rows.map((row) => row[column]?.length ?? 0));
}
