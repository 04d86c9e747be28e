// seraph 0.15: the REST and legacy Cypher endpoints as the clients of 2.x use them.
import { promisify } from "node:util";
import createSeraph from "seraph";
import { answer, readInput } from "./exchange.mjs";

const { server, user, pass } = await readInput();
const db = createSeraph({ server, user, pass });

const made = await promisify(db.query)(
  "CREATE (p:Package {name: {name}, size: {size}})-[r:DEPENDS_ON {range: '^1'}]->(q:Package {name: 'q'}) RETURN p, r, q",
  { name: "it's", size: 12 },
);
const [{ p, r, q }] = made;
const read = await promisify(db.read)(p.id);
const labels = await promisify(db.readLabels)(p.id);
const saved = await promisify(db.save)({ name: "saved", list: [1, 2] });
const again = await promisify(db.read)(saved.id);
const relationship = await promisify(db.rel.read)(r.id);
const outgoing = await promisify(db.relationships)(p.id, "out", "DEPENDS_ON");
await promisify(db.delete)(saved.id);
const gone = await promisify(db.read)(saved.id).catch((error) => ({ statusCode: error.statusCode }));

answer({ read, labels, again, relationship, outgoing, gone, ids: { p: p.id, q: q.id, r: r.id } });
