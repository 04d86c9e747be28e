import { type ServerContext } from "@trefoil/server-process";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";

/** The access log's file, `logs/graph-access.log` below the data folder: appended to, for its owner only. */
export interface AccessLog {
  readonly write: (line: string) => void;
  close(): Promise<void>;
}

export async function openAccessLog({ dataDirectory, logger }: ServerContext): Promise<AccessLog> {
  const directory = path.join(dataDirectory, "logs");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stream = createWriteStream(path.join(directory, "graph-access.log"), { flags: "a", mode: 0o600 });
  stream.on("error", (error) => logger.error({ err: error }, "the access log cannot be written"));
  return {
    write: (line) => {
      if (stream.writable) {
        stream.write(line);
      }
    },
    close: () =>
      new Promise((resolve) => {
        stream.end(() => {
          resolve();
        });
      }),
  };
}
