import { type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import "./import.css";
import { Button } from "../design/button.tsx";
import { ChoiceField, TextField } from "../design/field.tsx";
import { useApplication } from "../state/application.ts";
import { ColumnFields } from "./column-fields.tsx";
import { EndFields } from "./end-fields.tsx";
import { type ImportPlan, importStatement, labelOf } from "./import-plan.ts";
import { type CsvPreview, previewCsv } from "./read-csv.ts";
import { type ImportProgress, runImport } from "./run-import.ts";

/** From a CSV file to nodes or relationships: choose, look, say what is what, send. */
export function ImportDrawer(): JSX.Element {
  const application = useApplication();
  const { droppedFile } = application;
  const file = droppedFile.value;
  // With the file it is of: another one may have been dropped since.
  const [loaded, setLoaded] = useState<{ readonly file: File; readonly preview: CsvPreview } | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setProblem(undefined);
    if (file !== undefined) {
      previewCsv(file).then(
        (preview) => setLoaded({ file, preview }),
        (error: unknown) => setProblem(String(error)),
      );
    }
  }, [file]);
  return (
    <div class="column drawer-sections">
      <section class="column">
        <p class="muted">
          Drop a CSV file anywhere, or choose one. Its first line names the columns. It is read here, in the browser,
          and sent in batches.
        </p>
        <input
          ref={input}
          type="file"
          class="visually-hidden"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label="CSV file"
          tabIndex={-1}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? [];
            if (chosen !== undefined) {
              droppedFile.value = chosen;
            }
          }}
        />
        <Button icon="upload" onClick={() => input.current?.click()}>
          {file === undefined ? "Choose a file" : "Choose another file"}
        </Button>
      </section>
      {problem === undefined ? null : (
        <p class="banner banner-danger" role="alert">
          {problem}
        </p>
      )}
      {file === undefined || loaded?.file !== file ? null : (
        <ImportForm key={`${file.name} ${file.lastModified}`} file={file} preview={loaded.preview} />
      )}
    </div>
  );
}

function ImportForm({ file, preview }: { readonly file: File; readonly preview: CsvPreview }): JSX.Element {
  const { server, catalogue, announcement } = useApplication();
  const [plan, setPlan] = useState<ImportPlan>(() => ({
    kind: "nodes",
    label: labelOf(file.name),
    columns: preview.columns,
    key: undefined,
  }));
  const [progress, setProgress] = useState<ImportProgress | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [abort, setAbort] = useState<AbortController | undefined>(undefined);
  const [isDone, setDone] = useState(false);
  const labels = catalogue.current.value.labels.map(({ name }) => name);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    setAbort(controller);
    setProblem(undefined);
    setDone(false);
    setProgress({ rows: 0, share: 0, nodes: 0, relationships: 0 });
    try {
      const { rows } = await runImport(server, file, plan, setProgress, controller.signal);
      setDone(true);
      announcement.value = `${rows} rows imported.`;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setProblem(controller.signal.aborted ? "Cancelled. What was sent before stays." : message);
    } finally {
      setAbort(undefined);
      await catalogue.refresh();
    }
  };
  const changeKind = (kind: string): void => {
    const end = { label: labels[0] ?? "", property: "", column: 0 };
    setPlan(
      kind === "nodes"
        ? { kind, label: labelOf(file.name), columns: plan.columns, key: undefined }
        : {
            kind: "relationships",
            type: labelOf(file.name).toUpperCase(),
            columns: plan.columns,
            from: { ...end, property: plan.columns[0]?.property ?? "" },
            to: { ...end, property: plan.columns[0]?.property ?? "", column: Math.min(1, plan.columns.length - 1) },
          },
    );
  };
  return (
    <>
      <section class="column">
        <h3>{file.name}</h3>
        <div class="table-scroll import-preview" tabIndex={0} role="group" aria-label="First rows">
          <table class="data-table">
            <caption class="visually-hidden">First rows of {file.name}</caption>
            <thead>
              <tr>
                {plan.columns.map(({ header }, index) => (
                  <th key={index} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.rows.slice(0, 5).map((row, index) => (
                <tr key={index}>
                  {plan.columns.map((_, column) => (
                    <td key={column}>{(row[column] ?? "").slice(0, 80)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section class="column">
        <ChoiceField
          label="Each row becomes"
          value={plan.kind}
          choices={[
            ["nodes", "a node"],
            ["relationships", "a relationship"],
          ]}
          onChange={changeKind}
        />
        {plan.kind === "nodes" ? (
          <>
            <TextField label="Label" value={plan.label} onChange={(label) => setPlan({ ...plan, label })} />
            <ChoiceField
              label="Told apart by"
              value={plan.key === undefined ? "" : String(plan.key)}
              choices={[
                ["", "nothing: every row is new"],
                ...plan.columns.map(({ header }, index) => [String(index), header] as const),
              ]}
              onChange={(key) => setPlan({ ...plan, key: key === "" ? undefined : Number(key) })}
            />
          </>
        ) : (
          <>
            <TextField label="Type" value={plan.type} onChange={(type) => setPlan({ ...plan, type })} />
            <EndFields
              title="From"
              end={plan.from}
              columns={plan.columns}
              labels={labels}
              onChange={(from) => setPlan({ ...plan, from })}
            />
            <EndFields
              title="To"
              end={plan.to}
              columns={plan.columns}
              labels={labels}
              onChange={(to) => setPlan({ ...plan, to })}
            />
          </>
        )}
        <ColumnFields columns={plan.columns} onChange={(columns) => setPlan({ ...plan, columns })} />
        <details>
          <summary>The statement of each batch</summary>
          <pre class="import-statement">{importStatement(plan)}</pre>
        </details>
      </section>
      <section class="column">
        {abort === undefined ? (
          <Button kind="primary" icon="upload" isDisabled={!isComplete(plan)} onClick={() => void start()}>
            Import
          </Button>
        ) : (
          <Button icon="stop" onClick={() => abort.abort()}>
            Cancel
          </Button>
        )}
        {progress === undefined ? null : (
          <div role="status" class="column">
            <progress class="progress" max={1} value={isDone ? 1 : progress.share} aria-label="Import" />
            <span class="count">
              {isDone ? "Done: " : ""}
              {progress.rows} rows, {progress.nodes} nodes and {progress.relationships} relationships made
            </span>
          </div>
        )}
        {problem === undefined ? null : (
          <p class="banner banner-danger" role="alert">
            {problem}
          </p>
        )}
      </section>
    </>
  );
}

function isComplete(plan: ImportPlan): boolean {
  return plan.kind === "nodes"
    ? plan.label !== ""
    : [plan.type, plan.from.label, plan.from.property, plan.to.label, plan.to.property].every((text) => text !== "");
}
