import { type NodeIndexSeek } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";
import { cursorLoop } from "./produce-scan.ts";

/** Asks the view, which has the index, and loops over what it finds. */
export function produceIndexSeek(operator: NodeIndexSeek, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    cursorLoop(seek(operator, generator), "found", generator.local(operator.node), generator, consume);
  });
}

function seek({ label, properties, lookup }: NodeIndexSeek, generator: Generator): string {
  const keys = properties.map((property) => generator.token("propertyKeys", property));
  const index = `{ label: ${generator.token("labels", label)}, keys: [${keys.join(", ")}] }`;
  switch (lookup.kind) {
    case "values": {
      const values = lookup.values.map((value) => generator.expression(value));
      return generator.call("seekNodes", "view", index, `[${values.join(", ")}]`, "mode");
    }
    case "any":
      return generator.call("seekAnyNode", "view", index, generator.expression(lookup.list), "mode");
    case "range": {
      const low = lookup.low === undefined ? "undefined" : generator.expression(lookup.low);
      const high = lookup.high === undefined ? "undefined" : generator.expression(lookup.high);
      return generator.call("seekNodesBetween", "view", index, low, high, String(lookup.all));
    }
    case "prefix":
      return generator.call("seekNodesWithPrefix", "view", index, generator.expression(lookup.prefix));
    case "exists":
      return generator.call("seekNodesWithProperties", "view", index);
  }
}
