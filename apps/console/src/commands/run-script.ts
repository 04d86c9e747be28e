import { type StatementText } from "@trefoil/cypher";
import { statTexts } from "../frames/result-summary.ts";
import { runStatement } from "../server/run-statement.ts";
import { type Application } from "../state/application.ts";
import { failureContent } from "./failure-content.ts";

/** How often the frame tells how far it is. */
const TOLD_EVERY_MS = 150;

/**
 * Runs many statements in one frame, one after the other, each in a transaction of its own. The first that fails ends
 * it; what those before it did stays.
 */
export async function runScript(
  application: Application,
  script: string,
  statements: readonly StatementText[],
): Promise<void> {
  const { server, parameters, frames, announcement, catalogue } = application;
  const abort = new AbortController();
  const cancel = (): void => abort.abort();
  const frame = frames.add(script, { kind: "running", cancel });
  const stats = new Map<string, number>();
  let toldAtMs = 0;
  try {
    for (const [index, { text: statement }] of statements.entries()) {
      if (performance.now() - toldAtMs > TOLD_EVERY_MS) {
        toldAtMs = performance.now();
        frame.content.value = { kind: "running", cancel, progress: `Statement ${index + 1} of ${statements.length} …` };
      }
      const input = { statement, parameters: parameters.all.value, signal: abort.signal };
      const answer = await runStatement(server, input);
      if (answer.errors.length > 0) {
        frame.content.value = { kind: "errors", errors: answer.errors, statement };
        return;
      }
      for (const [name, count] of answer.stats) {
        stats.set(name, (stats.get(name) ?? 0) + count);
      }
    }
    const done = [`${statements.length} statements`, ...statTexts(stats)].join(" · ");
    frame.content.value = { kind: "notice", title: "The script is done", text: done };
    announcement.value = `The script is done. ${done}`;
  } catch (error) {
    frame.content.value = failureContent(error, abort.signal.aborted);
  } finally {
    void catalogue.refresh();
  }
}
