import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endTogether } from "./end-together.ts";

const held: ServerResponse[] = [];
const server = createServer((_request, response) => {
  held.push(response.writeHead(200, { connection: "close" }));
});

beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => server.close());

/** Sends a request whose answer is held. @returns what comes back until the connection ends */
async function ask(): Promise<{ readonly answer: Promise<string>; readonly leave: () => void }> {
  const before = held.length;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  while (held.length === before) {
    await new Promise(setImmediate);
  }
  return { answer: text(socket), leave: () => socket.resetAndDestroy() };
}

test("answers of one turn are ended when it is over, each with its own", async () => {
  const asked = [await ask(), await ask(), await ask()];
  const [first, second, third] = held.splice(0);
  endTogether(first as ServerResponse, "ä");
  endTogether(second as ServerResponse, Buffer.from("bytes"));
  endTogether(third as ServerResponse);
  expect(first?.writableEnded).toBe(false);
  const answers = await Promise.all(asked.map(({ answer }) => answer));
  expect(answers.map((each) => each.split("\r\n\r\n").at(1))).toEqual([
    expect.stringContaining("ä"),
    expect.stringContaining("bytes"),
    expect.not.stringContaining("bytes"),
  ]);
});

test("a client that has gone keeps no other from its answer", async () => {
  const gone = await ask();
  const there = await ask();
  gone.answer.catch(() => undefined);
  gone.leave();
  const [first, second] = held.splice(0);
  await once(first as ServerResponse, "close");
  endTogether(first as ServerResponse, "nobody");
  endTogether(second as ServerResponse, "somebody");
  expect(await there.answer).toContain("somebody");
});
