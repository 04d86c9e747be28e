// unstorage: a key-value layer whose driver sits on the SDK.
import { createStorage } from "unstorage";
import driver from "unstorage/drivers/azure-storage-blob";
import { answer, readInput } from "./exchange.mjs";

const { connectionString, container } = await readInput();
const storage = createStorage({ driver: driver({ connectionString, containerName: container }) });
await storage.setItem("a:b", { x: 1 });
await storage.setItemRaw("raw", Buffer.from([0, 255, 1]));
const result = {
  item: await storage.getItem("a:b"),
  raw: Buffer.from(await storage.getItemRaw("raw")).toString("hex"),
  has: [await storage.hasItem("a:b"), await storage.hasItem("none")],
  keys: (await storage.getKeys()).toSorted(),
  modified: (await storage.getMeta("raw")).mtime !== undefined,
};
await storage.removeItem("a:b");
await storage.clear();
result.left = await storage.getKeys();
answer(result);
