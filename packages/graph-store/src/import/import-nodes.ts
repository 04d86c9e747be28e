import { type ColumnRole } from "./csv-header.ts";
import { type CsvScanner } from "./csv-scanner.ts";
import { type IdSpace } from "./id-space.ts";
import { errorAt, type IdSpaces, type ImportTarget, type RowImport } from "./import-rows.ts";
import { PropertyCells } from "./property-cells.ts";

const LABEL_DELIMITER = ";";

/** The rows of a file of nodes. */
export class NodeImport implements RowImport {
  readonly #target: ImportTarget;
  readonly #file: string;
  readonly #header: readonly ColumnRole[];
  readonly #cells: PropertyCells;
  readonly #ids: IdSpace;
  readonly #idField: number;
  /** The property that the id is as well, -1 for none. */
  readonly #idKey: number;
  readonly #labelFields: readonly number[];
  readonly #everyLabel: readonly number[];
  /** Labels by the text of their field: lines of one file rarely have many different ones. */
  readonly #labels = new Map<string, readonly number[]>();

  constructor(
    target: ImportTarget,
    file: string,
    header: readonly ColumnRole[],
    spaces: IdSpaces,
    labels: readonly string[],
  ) {
    const { tokens, base } = target;
    this.#target = target;
    this.#file = file;
    this.#header = header;
    this.#cells = new PropertyCells(base.nodeProperties, header, (name) => tokens.propertyKeys.idOf(name));
    this.#idField = header.findIndex((role) => role.kind === "id");
    const id = header[this.#idField];
    this.#ids = spaces.of(id?.kind === "id" ? id.space : "");
    this.#idKey = id?.kind === "id" && id.name !== "" ? tokens.propertyKeys.idOf(id.name) : -1;
    this.#labelFields = header.flatMap((role, field) => (role.kind === "label" ? [field] : []));
    this.#everyLabel = labels.map((label) => tokens.labels.idOf(label));
  }

  expect(_rows: number): void {
    // Tables of nodes grow as they fill: there are far fewer of them than of relationships.
  }

  add(row: CsvScanner): void {
    const id = row.text(this.#idField);
    if (this.#ids.find(id) >= 0) {
      throw errorAt(this.#file, row, this.#header, this.#idField, "There is another node with this id.");
    }
    const wrong = this.#cells.read(row);
    if (wrong >= 0) {
      throw errorAt(this.#file, row, this.#header, wrong, "The value does not fit the type of the column.");
    }
    const { base, nodeIds } = this.#target;
    const node = nodeIds.allocate();
    base.nodes.create(node);
    for (const label of this.#labelsOf(row)) {
      base.addLabel(node, label);
    }
    this.#cells.write(row, node);
    if (this.#idKey >= 0) {
      base.nodeProperties.set(node, this.#idKey, id);
    }
    this.#ids.add(id, node);
  }

  #labelsOf(row: CsvScanner): readonly number[] {
    const fields = this.#labelFields;
    const text =
      fields.length === 1
        ? row.text(fields[0] as number)
        : fields.map((field) => row.text(field)).join(LABEL_DELIMITER);
    let labels = this.#labels.get(text);
    if (labels === undefined) {
      const names = text.split(LABEL_DELIMITER).filter((name) => name !== "");
      labels = [...new Set([...this.#everyLabel, ...names.map((name) => this.#target.tokens.labels.idOf(name))])];
      this.#labels.set(text, labels);
    }
    return labels;
  }
}
