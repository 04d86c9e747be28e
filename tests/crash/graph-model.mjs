// What one worker of graph-store-writer.mjs does in its n-th transaction, and what the graph must then hold. Both sides
// of graph-store.test.ts compute it from the two numbers alone: the process that is killed and the one that looks after.

/** @returns {Model} */
export function emptyModel() {
  return { items: new Map(), links: new Map() };
}

/**
 * Takes the model one transaction further and gives the statement that does the same to the graph.
 *
 * @param {Model} model
 * @param {number} worker
 * @param {number} number
 * @returns {Step}
 */
export function takeStep(model, worker, number) {
  const random = randomFrom(worker * 1_000_003 + number);
  const w = worker;
  const items = [...model.items.keys()];
  const links = [...model.links.keys()];
  const pick = (from) => from[random(from.length)];
  const kind = items.length < 3 ? 0 : random(items.length > 40 ? 8 : 6);
  if (kind <= 1) {
    const value = random(1000);
    model.items.set(number, { value, text: null, odd: false });
    return { text: "CREATE (:Item {w: $w, n: $n, value: $value})", parameters: { w, n: number, value } };
  }
  if (kind === 2) {
    const [n, text] = [pick(items), "x".repeat(random(300))];
    model.items.set(n, { ...model.items.get(n), text, value: number });
    const set = "MATCH (i:Item {w: $w, n: $n}) SET i.text = $text, i.value = $value";
    return { text: set, parameters: { w, n, text, value: number } };
  }
  if (kind === 3) {
    const [from, to] = [pick(items), pick(items)];
    model.links.set(number, { from, to });
    const create = "MATCH (a:Item {w: $w, n: $from}), (b:Item {w: $w, n: $to}) CREATE (a)-[:LINK {w: $w, n: $n}]->(b)";
    return { text: create, parameters: { w, n: number, from, to } };
  }
  if (kind === 4) {
    const n = pick(items);
    const item = model.items.get(n);
    model.items.set(n, { ...item, odd: !item.odd });
    const label = item.odd ? "REMOVE i:Odd" : "SET i:Odd";
    return { text: `MATCH (i:Item {w: $w, n: $n}) ${label}`, parameters: { w, n } };
  }
  if (kind === 5 && links.length > 0) {
    const n = pick(links);
    model.links.delete(n);
    return { text: "MATCH ()-[l:LINK {w: $w, n: $n}]->() DELETE l", parameters: { w, n } };
  }
  const n = pick(items);
  model.items.delete(n);
  for (const [link, { from, to }] of model.links) {
    if (from === n || to === n) {
      model.links.delete(link);
    }
  }
  return { text: "MATCH (i:Item {w: $w, n: $n}) DETACH DELETE i", parameters: { w, n } };
}

function randomFrom(seed) {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}
