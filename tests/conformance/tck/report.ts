import { type TckCase } from "./expectation.ts";

/** How one scenario went; `wrong` is the first difference. */
export interface Verdict {
  readonly file: string;
  readonly name: string;
  readonly wrong: string | undefined;
}

/** A scenario by one line of text. */
function idOf({ file, name }: Pick<TckCase, "file" | "name">): string {
  return `${file}: ${name}`;
}

/** Passed and failed by folder, then all together. */
export function renderTable(verdicts: readonly Verdict[]): string {
  const folders = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const folder = verdict.file.split("/").slice(0, 2).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), verdict]);
  }
  const lines = [...folders].map(([folder, members]) => renderLine(folder, members));
  return [renderLine("folder", undefined), ...lines, renderLine("all", verdicts)].join("\n");
}

/** One line per failure, with its first difference. */
export function renderFailures(verdicts: readonly Verdict[]): string {
  return verdicts
    .filter(({ wrong }) => wrong !== undefined)
    .map((verdict) => `${idOf(verdict)}\n    ${verdict.wrong}`)
    .join("\n");
}

function renderLine(name: string, verdicts: readonly Verdict[] | undefined): string {
  if (verdicts === undefined) {
    return `${name.padEnd(40)} ${"passed".padStart(7)} ${"failed".padStart(7)}`;
  }
  const failed = verdicts.filter(({ wrong }) => wrong !== undefined).length;
  return `${name.padEnd(40)} ${String(verdicts.length - failed).padStart(7)} ${String(failed).padStart(7)}`;
}
