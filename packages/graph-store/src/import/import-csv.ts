import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type GraphBase } from "../tables/graph-base.ts";
import { type Tokens } from "../tables/token-table.ts";
import { type IdAllocator } from "../transactions/id-allocator.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type ColumnRole, readHeader } from "./csv-header.ts";
import { type CsvRow, CsvScanner } from "./csv-scanner.ts";
import { IdSpace } from "./id-space.ts";
import { ImportError, type ImportPlace } from "./import-error.ts";
import { RelationshipBatch } from "./relationship-batch.ts";

export interface ImportOptions {
  readonly nodeFiles: readonly string[];
  readonly relationshipFiles: readonly string[];
  /** One character; "," when not said. */
  readonly delimiter?: string | undefined;
  /** Labels that every node gets besides those of its line. */
  readonly labels?: readonly string[] | undefined;
  /** The type of relationships whose file has no column for it. */
  readonly type?: string | undefined;
  /** Leaves out lines that cannot be taken in instead of stopping; they are counted in the report. */
  readonly skipBadLines?: boolean | undefined;
  /** Called about every megabyte read. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportProgress {
  readonly phase: "nodes" | "relationships" | "saving";
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly nodes: number;
  readonly relationships: number;
}

export interface ImportReport {
  readonly nodes: number;
  readonly relationships: number;
  readonly badLines: number;
  /** The first thousand of them. */
  readonly badLineErrors: readonly ImportError[];
}

/** What an import fills: nobody else may use it meanwhile. */
export interface ImportTarget {
  readonly base: GraphBase;
  readonly tokens: Tokens;
  readonly nodeIds: IdAllocator;
  readonly relationshipIds: IdAllocator;
}

const CHUNK_BYTES = 1 << 20;
const MOST_ERRORS_KEPT = 1000;
const LABEL_DELIMITER = ";";

/**
 * Reads the files straight into the arrays of a store: nodes first, then relationships, whose ends are the ids of the
 * node files. Nothing is logged; the caller keeps the result with a checkpoint, or throws it away after an error.
 *
 * @throws ImportError  for the first bad line, unless they are skipped
 */
export async function importCsv(target: ImportTarget, options: ImportOptions): Promise<ImportReport> {
  return new CsvImport(target, options).run();
}

class CsvImport {
  readonly #target: ImportTarget;
  readonly #options: ImportOptions;
  readonly #spaces = new Map<string, IdSpace>();
  readonly #relationships = new RelationshipBatch();
  readonly #labels: readonly number[];
  readonly #errors: ImportError[] = [];
  #badLines = 0;
  #nodes = 0;
  #bytesRead = 0;
  #bytesTotal = 0;

  constructor(target: ImportTarget, options: ImportOptions) {
    this.#target = target;
    this.#options = options;
    this.#labels = (options.labels ?? []).map((label) => target.tokens.labels.idOf(label));
  }

  async run(): Promise<ImportReport> {
    const { nodeFiles, relationshipFiles } = this.#options;
    const sizes = await Promise.all([...nodeFiles, ...relationshipFiles].map(async (file) => (await stat(file)).size));
    this.#bytesTotal = sizes.reduce((sum, size) => sum + size, 0);
    for (const file of nodeFiles) {
      await this.#read(file, "nodes", (row, header) => this.#addNode(row, header, file));
    }
    for (const file of relationshipFiles) {
      await this.#read(file, "relationships", (row, header) => this.#addRelationship(row, header, file));
    }
    this.#report("saving");
    this.#relationships.addTo(this.#target.base);
    return {
      nodes: this.#nodes,
      relationships: this.#relationships.length,
      badLines: this.#badLines,
      badLineErrors: this.#errors,
    };
  }

  async #read(
    file: string,
    phase: "nodes" | "relationships",
    add: (row: CsvRow, header: readonly ColumnRole[]) => void,
  ): Promise<void> {
    let header: readonly ColumnRole[] | undefined;
    const scanner = new CsvScanner(file, this.#options.delimiter ?? ",", (row) => {
      if (header === undefined) {
        header = readHeader(row, file, phase);
      } else {
        this.#guarded(row, header, file, add);
      }
    });
    const stream = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    const decoder = new TextDecoder("utf-8", { fatal: false });
    for await (const chunk of stream) {
      scanner.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
      this.#bytesRead += (chunk as Uint8Array).length;
      this.#report(phase);
    }
    scanner.end();
    this.#report(phase);
  }

  #guarded(
    row: CsvRow,
    header: readonly ColumnRole[],
    file: string,
    add: (row: CsvRow, header: readonly ColumnRole[]) => void,
  ): void {
    try {
      if (row.fields.length !== header.length) {
        const place = { file, line: row.line, column: row.fields.length, value: row.fields.at(-1) ?? "" };
        throw new ImportError(place, `The line has ${row.fields.length} fields, the header ${header.length}.`);
      }
      add(row, header);
    } catch (error) {
      if (this.#options.skipBadLines !== true || !(error instanceof ImportError)) {
        throw error;
      }
      this.#badLines += 1;
      if (this.#errors.length < MOST_ERRORS_KEPT) {
        this.#errors.push(error);
      }
    }
  }

  #addNode(row: CsvRow, header: readonly ColumnRole[], file: string): void {
    const keys: number[] = [];
    const values: PropertyValue[] = [];
    const labels = new Set(this.#labels);
    let external: { readonly ids: IdSpace; readonly id: string } | undefined;
    header.forEach((role, index) => {
      const text = row.fields[index] as string;
      const isMissing = text === "" && row.quoted[index] === false;
      if (role.kind === "id") {
        const ids = this.#idsOf(role.space);
        if (ids.find(text) >= 0) {
          throw new ImportError(placeOf(row, header, index, file), "There is another node with this id.");
        }
        external = { ids, id: text };
        if (role.name !== "") {
          keys.push(this.#target.tokens.propertyKeys.idOf(role.name));
          values.push(text);
        }
      } else if (role.kind === "label" && !isMissing) {
        text.split(LABEL_DELIMITER).forEach((label) => labels.add(this.#target.tokens.labels.idOf(label)));
      } else if (role.kind === "property" && !isMissing) {
        keys.push(this.#target.tokens.propertyKeys.idOf(role.name));
        values.push(this.#value(row, header, index, file));
      }
    });
    const { base, nodeIds } = this.#target;
    const node = nodeIds.allocate();
    base.nodes.create(node);
    labels.forEach((label) => base.addLabel(node, label));
    keys.forEach((key, index) => base.nodeProperties.set(node, key, values[index]));
    external?.ids.add(external.id, node);
    this.#nodes += 1;
  }

  #addRelationship(row: CsvRow, header: readonly ColumnRole[], file: string): void {
    const keys: number[] = [];
    const values: PropertyValue[] = [];
    let start = -1;
    let end = -1;
    let type = this.#options.type;
    header.forEach((role, index) => {
      const text = row.fields[index] as string;
      const isMissing = text === "" && row.quoted[index] === false;
      if (role.kind === "start" || role.kind === "end") {
        const node = this.#idsOf(role.space).find(text);
        if (node < 0) {
          throw new ImportError(placeOf(row, header, index, file), "No node has this id.");
        }
        [start, end] = role.kind === "start" ? [node, end] : [start, node];
      } else if (role.kind === "type" && !isMissing) {
        type = text;
      } else if (role.kind === "property" && !isMissing) {
        keys.push(this.#target.tokens.propertyKeys.idOf(role.name));
        values.push(this.#value(row, header, index, file));
      }
    });
    if (type === undefined) {
      throw new ImportError(
        { file, line: row.line, column: 1, value: row.fields.join(",") },
        "The relationship has no type: a column ':TYPE' is missing or empty.",
      );
    }
    const { base, relationshipIds, tokens } = this.#target;
    const relationship = relationshipIds.allocate();
    this.#relationships.add(relationship, start, tokens.relationshipTypes.idOf(type), end);
    keys.forEach((key, index) => base.relationshipProperties.set(relationship, key, values[index]));
  }

  #value(row: CsvRow, header: readonly ColumnRole[], index: number, file: string): PropertyValue {
    const role = header[index] as Extract<ColumnRole, { kind: "property" }>;
    const value = role.read(row.fields[index] as string);
    if (value === undefined) {
      throw new ImportError(placeOf(row, header, index, file), "The value does not fit the type of the column.");
    }
    return value;
  }

  #idsOf(space: string): IdSpace {
    let ids = this.#spaces.get(space);
    if (ids === undefined) {
      ids = new IdSpace();
      this.#spaces.set(space, ids);
    }
    return ids;
  }

  #report(phase: ImportProgress["phase"]): void {
    this.#options.onProgress?.({
      phase,
      bytesRead: this.#bytesRead,
      bytesTotal: this.#bytesTotal,
      nodes: this.#nodes,
      relationships: this.#relationships.length,
    });
  }
}

function placeOf(row: CsvRow, header: readonly ColumnRole[], index: number, file: string): ImportPlace {
  const role = header[index];
  const columnName = role !== undefined && "name" in role && role.name !== "" ? role.name : role?.kind;
  return { file, line: row.line, column: index + 1, columnName, value: row.fields[index] ?? "" };
}
