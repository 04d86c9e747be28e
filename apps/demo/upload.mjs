import { createHash, createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { BlobServiceClient } from "@azure/storage-blob";
import { line } from "./print.mjs";

const container = "demo";
const blob = "package-lock.json";

/** @param {{ endpoint: string, account: string, keys: string[], connectionString: string }} objects */
export async function uploadAndReadBack(objects) {
  const service = BlobServiceClient.fromConnectionString(objects.connectionString);
  await service.getContainerClient(container).createIfNotExists();

  const bytes = await readFile(new URL("../../package-lock.json", import.meta.url));
  const answer = await putBlob(objects, bytes);
  line("PUT", `${answer.status}, ETag ${answer.headers.get("etag")}, ${bytes.length} bytes`);

  const back = await service.getContainerClient(container).getBlobClient(blob).downloadToBuffer();
  const same = sha256(back) === sha256(bytes);
  line("read back", `${back.length} bytes, SHA-256 ${same ? "the same" : "DIFFERENT"}`);
  if (!answer.ok || !same) {
    throw new Error("the file did not come back as it went");
  }
}

/** The upload of the interface document: eleven standard lines, the service's own headers, the resource. */
function putBlob({ endpoint, account, keys }, bytes) {
  const url = new URL(`${endpoint.replace(/\/$/, "")}/${container}/${blob}`);
  const own = {
    "x-store-blob-type": "BlockBlob",
    "x-store-date": new Date().toUTCString(),
    "x-store-version": "2015-02-21",
  };
  const standard = ["", "", bytes.length, "", "", "", "", "", "", "", ""];
  const stringToSign = [
    "PUT",
    ...standard,
    ...Object.entries(own).map(([name, value]) => `${name}:${value}`),
    `/${account}${url.pathname}`,
  ].join("\n");
  const signature = createHmac("sha256", Buffer.from(keys[0], "base64")).update(stringToSign).digest("base64");
  return fetch(url, {
    method: "PUT",
    body: bytes,
    headers: { ...own, Authorization: `SharedKey ${account}:${signature}` },
  });
}

/** @param {Uint8Array} bytes */
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
