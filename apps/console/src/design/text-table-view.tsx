import { type JSX } from "preact";

export interface TextTableViewProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly whenEmpty: string;
}

/** A small table of texts under its heading. */
export function TextTableView({ title, columns, rows, whenEmpty }: TextTableViewProps): JSX.Element {
  return (
    <section class="column text-table">
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p class="muted">{whenEmpty}</p>
      ) : (
        <table class="data-table">
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
