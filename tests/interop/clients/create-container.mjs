// A container by the newest SDK, for clients that don't wait until theirs is made.
import { BlobServiceClient } from "@azure/storage-blob";
import { answer, readInput } from "./exchange.mjs";

const { connectionString, container } = await readInput();
await BlobServiceClient.fromConnectionString(connectionString).createContainer(container);
answer({ made: true });
