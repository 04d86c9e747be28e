import { type IncomingMessage } from "node:http";

/**
 * The body of a request, at most `maximumBytes` of it. `too large` leaves the rest unread: the connection has to end
 * with the answer. `gone`: the client left before it had sent everything.
 */
export function readWholeBody(request: IncomingMessage, maximumBytes: number): Promise<Buffer | "too large" | "gone"> {
  if (Number(request.headers["content-length"] ?? 0) > maximumBytes) {
    return Promise.resolve("too large");
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > maximumBytes) {
        request.pause();
        resolve("too large");
      } else {
        chunks.push(chunk);
      }
    });
    request.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    // Comes after every other end as well, and then says nothing new; nobody asks for errors, so none is thrown.
    request.on("close", () => resolve("gone"));
  });
}
