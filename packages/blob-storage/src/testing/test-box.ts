import { afterAll, beforeAll } from "vitest";
import { startTestService, type TestService } from "./start-test-service.ts";
import { type TestAnswer } from "./test-client.ts";
import { UnsyncedFileSystem } from "./unsynced-file-system.ts";

export type TestHeaders = Readonly<Record<string, string>>;

/** The container `box` of a service that all tests of a file share, on a disk that keeps only what was synced. */
export interface TestBox {
  readonly fileSystem: UnsyncedFileSystem;
  /** There from the first test on. */
  readonly service: TestService;
  /** @param target  a blob's name, with the query if there is one */
  send(method: string, target: string, headers?: TestHeaders, body?: Buffer | string): Promise<TestAnswer>;
  /** A block blob in one piece. */
  put(name: string, body: Buffer | string, headers?: TestHeaders): Promise<TestAnswer>;
  get(target: string, headers?: TestHeaders): Promise<TestAnswer>;
}

/** Starts it before the file's tests and closes it behind them. */
export function useTestBox(): TestBox {
  let service: TestService;
  const fileSystem = new UnsyncedFileSystem();
  beforeAll(async () => {
    service = await startTestService({ fileSystem });
    await service.client.send("PUT", "/box?restype=container");
  });
  afterAll(() => service.close());
  const send: TestBox["send"] = (method, target, headers = {}, body = "") =>
    service.client.send(method, `/box/${target}`, { headers, body });
  return {
    fileSystem,
    get service() {
      return service;
    },
    send,
    put: (name, body, headers) => send("PUT", name, { "~blob-type": "BlockBlob", ...headers }, body),
    get: (target, headers) => send("GET", target, headers),
  };
}
