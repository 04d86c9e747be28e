import { splitStatements } from "@trefoil/cypher";
import { runStatement } from "../server/run-statement.ts";
import { type Application } from "../state/application.ts";
import { type Frame, type FrameContent } from "../state/frame.ts";
import { failureContent } from "./failure-content.ts";
import { findCommand } from "./command-table.ts";
import { runScript } from "./run-script.ts";

/** Texts of more statements than this are scripts: nobody looks at the result of each. */
const MAXIMUM_FRAMES = 10;

/** Runs what was typed: a command, or one or more statements, each in a frame of its own, until one fails. */
export async function execute(application: Application, text: string): Promise<void> {
  const input = text.trim();
  if (input === "") {
    return;
  }
  application.history.add(input);
  if (input.startsWith(":")) {
    await executeCommand(application, input);
    return;
  }
  const { mode } = application.session.settings.value;
  const statements = splitStatements(input, { mode });
  if (statements.length > MAXIMUM_FRAMES) {
    await runScript(application, input, statements);
    return;
  }
  for (const { text: statement } of statements) {
    const frame = application.frames.add(statement, { kind: "notice", title: "", text: "" });
    await runInFrame(application, frame, statement);
    if (frame.content.value.kind !== "result") {
      return;
    }
  }
}

/** Runs what a frame shows once more, in its place; a script gets a new one. */
export async function rerun(application: Application, frame: Frame): Promise<void> {
  const { mode } = application.session.settings.value;
  if (!frame.command.startsWith(":") && splitStatements(frame.command, { mode }).length > 1) {
    await execute(application, frame.command);
  } else if (frame.command.startsWith(":")) {
    frame.content.value = (await commandContent(application, frame.command)) ?? frame.content.value;
  } else {
    await runInFrame(application, frame, frame.command);
  }
}

async function runInFrame(application: Application, frame: Frame, statement: string): Promise<void> {
  const abort = new AbortController();
  frame.content.value = { kind: "running", cancel: () => abort.abort() };
  frame.content.value = await statementContent(application, statement, abort.signal);
  announce(application, frame.content.value);
}

async function statementContent(
  application: Application,
  statement: string,
  signal: AbortSignal,
): Promise<FrameContent> {
  const parameters = application.parameters.all.value;
  try {
    const answer = await runStatement(application.server, { statement, parameters, signal });
    if (answer.errors.length > 0) {
      return { kind: "errors", errors: answer.errors, statement };
    }
    if (answer.stats.size > 0) {
      void application.catalogue.refresh();
    }
    return { kind: "result", answer, statement };
  } catch (error) {
    return failureContent(error, signal.aborted);
  }
}

async function executeCommand(application: Application, input: string): Promise<void> {
  const content = await commandContent(application, input);
  if (content !== undefined) {
    application.frames.add(input, content);
    announce(application, content);
  }
}

async function commandContent(application: Application, input: string): Promise<FrameContent | undefined> {
  const [, name = "", argument = ""] = /^:\s*([A-Za-z-]*)\s*([\s\S]*)$/.exec(input) ?? [];
  const command = findCommand(name);
  if (command === undefined) {
    return { kind: "notice", title: `There is no command :${name}`, text: "`:help commands` lists those there are." };
  }
  try {
    return await command.run(application, argument.trim());
  } catch (error) {
    return failureContent(error, false);
  }
}

/** What screen readers are told when an answer is there. */
function announce({ announcement }: Application, content: FrameContent): void {
  switch (content.kind) {
    case "result": {
      const { rows, durationMs } = content.answer;
      announcement.value = `${rows.length} rows in ${Math.round(durationMs)} milliseconds.`;
      return;
    }
    case "errors":
      announcement.value = `Failed: ${content.errors[0]?.message ?? ""}`;
      return;
    case "notice":
      announcement.value = `${content.title}. ${content.text}`;
      return;
    default:
      announcement.value = "Done.";
  }
}
