import { type Steps } from "./steps.ts";

/** What a command may use besides its input. */
export interface CommandContext {
  /** The time of the request, milliseconds since 1970. */
  readonly nowMs: number;
  /** A new ETag, with quotes; never given out twice. */
  newEtag(): string;
  /** A new time for a snapshot or a version, `2026-11-20T12:00:00.1234567Z`; never given out twice. */
  newMoment(): string;
  /** A new number for a row; never given out twice. */
  newId(): number;
}

/**
 * A change of the metadata: runs inside one transaction, on the writer's thread. Input and output are plain data. An
 * expected refusal is a thrown StorageError; it undoes this command and no other of the same commit.
 */
export type Command<Input, Output> = (input: Input, context: CommandContext) => Steps<Output>;
