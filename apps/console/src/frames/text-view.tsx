import { type JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useApplication } from "../state/application.ts";
import { PageButtons } from "./page-buttons.tsx";
import { type RowsProps } from "./table-view.tsx";
import { textTable } from "./text-table.ts";

/** Rows in a frame of letters, to be copied. */
export function TextView({ columns, rows }: RowsProps): JSX.Element {
  const { settings } = useApplication();
  const [page, setPage] = useState(0);
  const perPage = settings.value.rowsPerPage;
  const text = useMemo(
    () => textTable(columns, rows.slice(page * perPage, (page + 1) * perPage)),
    [columns, rows, page, perPage],
  );
  return (
    <>
      <pre class="text-view" tabIndex={0} aria-label="Rows as text">
        {text}
      </pre>
      <PageButtons page={page} pageCount={Math.ceil(rows.length / perPage)} label="Pages of rows" onChange={setPage} />
    </>
  );
}
