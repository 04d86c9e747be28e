import { exitCodes } from "@trefoil/server-process/exit-codes";

export { exitCodes };

/** Ends a command: the message is for the user, the code for the shell. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failure, options?: { cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
