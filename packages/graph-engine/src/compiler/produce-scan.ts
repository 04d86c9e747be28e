import {
  type AllNodesScan,
  type AllRelationshipsScan,
  type EntityByIdSeek,
  type NodeByLabelScan,
  type PartitionedScan,
} from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";

export function produceNodeScan(operator: AllNodesScan, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const open = `view.allNodes(${rangeOf(operator).join(", ")})`;
    cursorLoop(open, "nodes", generator.local(operator.node), generator, consume);
  });
}

export function produceLabelScan(operator: NodeByLabelScan, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const label = generator.token("labels", operator.label);
    const open = `view.nodesWithLabel(${[label, ...rangeOf(operator)].join(", ")})`;
    cursorLoop(open, "nodes", generator.local(operator.node), generator, consume);
  });
}

export function produceRelationshipScan(operator: AllRelationshipsScan, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const open = `view.allRelationships(${rangeOf(operator).join(", ")})`;
    cursorLoop(open, "relationships", generator.local(operator.relationship), generator, consume);
  });
}

function rangeOf({ partitioned }: PartitionedScan): readonly string[] {
  return partitioned === true ? ["statement.part.range"] : [];
}

/** Ids come from a value: one, or a list of them. */
export function produceEntityByIdSeek(operator: EntityByIdSeek, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const value = generator.expression(operator.ids);
    const ids = generator.keep(
      generator.call("seekIds", "statement", value, JSON.stringify(operator.entity), String(operator.strict)),
      "ids",
    );
    const index = generator.names.unique("i");
    generator.out.block(`for (let ${index} = 0; ${index} < ${ids}.length; ${index} += 1)`, () => {
      generator.tick();
      generator.out.line(`const ${generator.local(operator.variable)} = ${ids}[${index}];`);
      consume();
    });
  });
}

/** A loop over what an expression of a cursor gives. */
export function cursorLoop(open: string, stem: string, id: string, generator: Generator, consume: Consume): void {
  const cursor = generator.names.unique(stem);
  generator.out.line(`const ${cursor} = ${open};`);
  generator.out.block(`for (let ${id} = ${cursor}.next(); ${id} >= 0; ${id} = ${cursor}.next())`, () => {
    generator.tick();
    consume();
  });
}
