import { expect, test } from "vitest";
import { AccessLog } from "./access-log.ts";
import { createLogger } from "./logger.ts";

const request = { requestId: "r", method: "GET", url: "/p?sig=S3CRET", status: 200, durationMs: 1, aborted: false };

test("each line has the time at which it was written, and no secret", () => {
  const lines: string[] = [];
  const stream = { write: (line: string): void => void lines.push(line) };
  let nowMs = 0;
  const log = new AccessLog(createLogger({ name: "t", level: "info", pretty: false, stream }), () => nowMs);
  for (const at of [5, 5, 1_000, 5]) {
    nowMs = at;
    log.write({ ...request, remoteAddress: undefined });
  }
  const seconds = ["00.005", "00.005", "01.000", "00.005"];
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    seconds.map((second) => ({ time: `1970-01-01T00:00:${second}Z`, url: "/p?sig=[redacted]", msg: "request" })),
  );
});
