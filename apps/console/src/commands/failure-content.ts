import { UnreachableError } from "../server/graph-server.ts";
import { type FrameContent } from "../state/frame.ts";

/** What a frame says when there is no answer to show. */
export function failureContent(error: unknown, isCancelled: boolean): FrameContent {
  if (isCancelled) {
    return { kind: "notice", title: "Cancelled", text: "The statement was ended; nothing of it was kept." };
  }
  if (error instanceof UnreachableError) {
    return { kind: "notice", title: "No answer", text: `${error.message} Is it still running?` };
  }
  return { kind: "notice", title: "That did not work", text: error instanceof Error ? error.message : String(error) };
}
