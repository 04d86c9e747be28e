// The process that graph-store.test.ts kills: commits without pause and says on standard output what was acknowledged.
// Runs from dist, as servers do. Arguments: folder of the store, number of this run.
import { systemClock } from "@trefoil/base";
import { openGraphStore } from "@trefoil/graph-store";

const [directory, run] = process.argv.slice(2);
const store = await openGraphStore({ directory, clock: systemClock, checkpointLogBytes: 40_000 });
process.stdout.write("ready\n");

let number = 0;

/** Two nodes and what joins them in one commit: after a crash either all of it is there or nothing. */
async function commitPair() {
  const name = `${run}.${number++}`;
  const transaction = store.begin();
  const label = transaction.labelId(`Run${run}`);
  const key = transaction.propertyKeyId("name");
  const [start, end] = [transaction.createNode([label]), transaction.createNode([label])];
  const pair = transaction.createRelationship(start, transaction.relationshipTypeId("PAIR"), end);
  transaction.setNodeProperty(start, key, name);
  transaction.setNodeProperty(end, key, name);
  transaction.setRelationshipProperty(pair, key, name);
  await transaction.commit();
  process.stdout.write(`${name}\n`);
}

async function commitForever() {
  for (;;) {
    await commitPair();
  }
}

await Promise.all([commitForever(), commitForever(), commitForever(), commitForever()]);
