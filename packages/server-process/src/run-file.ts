import { findFile, makePrivateDirectory, writePrivateFile } from "@trefoil/installation";
import { unlink } from "node:fs/promises";
import path from "node:path";
import { runFileOf, type RunFile } from "./supervision.ts";

/** Says where this process serves, until the returned function takes it back. */
export async function publishRunFile(dataDirectory: string, content: RunFile): Promise<() => Promise<void>> {
  const file = runFileOf(dataDirectory, content.server);
  await makePrivateDirectory(path.dirname(file));
  await writePrivateFile(file, `${JSON.stringify(content, undefined, 2)}\n`);
  return async () => {
    const text = await findFile(file);
    // A successor may have written its own already.
    if (text !== undefined && (JSON.parse(text) as RunFile).pid === content.pid) {
      await unlink(file);
    }
  };
}
