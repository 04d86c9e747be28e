import { type JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useApplication } from "../state/application.ts";
import { type Value } from "../values/value.ts";
import { compareValues } from "../values/compare-values.ts";
import { CellView } from "./cell-view.tsx";
import { PageButtons } from "./page-buttons.tsx";

export interface RowsProps {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

interface Order {
  readonly column: number;
  readonly isDescending: boolean;
}

/** Rows in pages; a column's head sorts by it, up, down, and as they came. */
export function TableView({ columns, rows }: RowsProps): JSX.Element {
  const { settings } = useApplication();
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const [page, setPage] = useState(0);
  const sorted = useMemo(() => (order === undefined ? rows : sortRows(rows, order)), [rows, order]);
  const perPage = settings.value.rowsPerPage;
  const pageCount = Math.ceil(rows.length / perPage);
  const first = Math.min(page, Math.max(0, pageCount - 1)) * perPage;
  if (columns.length === 0) {
    return <p class="frame-pad muted">The statement gave no rows.</p>;
  }
  const toggle = (column: number): void => {
    setPage(0);
    setOrder(
      order?.column !== column
        ? { column, isDescending: false }
        : order.isDescending
          ? undefined
          : { column, isDescending: true },
    );
  };
  return (
    <>
      <div class="table-scroll" tabIndex={0} role="group" aria-label="Rows">
        <table class="data-table result-table" aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} scope="col" aria-sort={sortState(order, index)}>
                  <button type="button" class="sort-button" onClick={() => toggle(index)}>
                    {column}
                    <span class="sort-mark" aria-hidden="true">
                      {order?.column === index ? (order.isDescending ? "▾" : "▴") : ""}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(first, first + perPage).map((row, index) => (
              <tr key={first + index} aria-rowindex={first + index + 2}>
                {row.map((value, column) => (
                  <td key={column}>
                    <CellView value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <PageButtons page={page} pageCount={pageCount} label="Pages of rows" onChange={setPage} />
    </>
  );
}

function sortState(order: Order | undefined, column: number): "none" | "ascending" | "descending" {
  return order?.column !== column ? "none" : order.isDescending ? "descending" : "ascending";
}

function sortRows(rows: RowsProps["rows"], { column, isDescending }: Order): RowsProps["rows"] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((left, right) => sign * compareValues(left[column] ?? null, right[column] ?? null));
}
