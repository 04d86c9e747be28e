import { type Application } from "../state/application.ts";
import { type FrameContent } from "../state/frame.ts";

/** A word after a colon. */
export interface Command {
  readonly name: string;
  /** Other words for the same. */
  readonly aliases?: readonly string[];
  /** How it is written, one line per way. */
  readonly usage: readonly string[];
  readonly summary: string;
  /** What its frame shows; undefined: it has none. */
  run(application: Application, argument: string): Promise<FrameContent | undefined> | FrameContent | undefined;
}

export function notice(title: string, text: string): FrameContent {
  return { kind: "notice", title, text };
}
