import {
  type Expand,
  type ProjectEndpoints,
  type ShortestPath,
  type VariableLengthExpand,
} from "../logical-plan/operator.ts";
import { acceptFunction, typeIds } from "./compile-subquery.ts";
import { type Consume, type Generator } from "./generator.ts";

/** A loop over a node's relationships; one buffer per operator serves all its turns. */
export function produceExpand(operator: Expand, generator: Generator, consume: Consume): void {
  const { names, prologue } = generator;
  const buffer = names.unique("expansion");
  prologue.line(`const ${buffer} = { relationships: new Int32Array(64), neighbours: new Int32Array(64) };`);
  const types = names.unique("types");
  if (operator.types.length === 0 || !generator.options.updating) {
    prologue.line(`const ${types} = ${typeIds(operator.types, generator)};`);
  }
  generator.produce(operator.source, () => {
    const { out } = generator;
    const count = names.unique("count");
    const index = names.unique("i");
    const from = generator.local(operator.from);
    // A statement that writes may have made the type just now.
    const wanted = operator.types.length > 0 && generator.options.updating ? typeIds(operator.types, generator) : types;
    out.line(`const ${count} = view.expand(${from}, ${JSON.stringify(operator.direction)}, ${wanted}, ${buffer});`);
    const relationships = names.unique("relationships");
    const neighbours = names.unique("neighbours");
    out.line(`const ${relationships} = ${buffer}.relationships;`);
    out.line(`const ${neighbours} = ${buffer}.neighbours;`);
    out.block(`for (let ${index} = 0; ${index} < ${count}; ${index} += 1)`, () => {
      generator.tick();
      const relationship = `const ${generator.local(operator.relationship)} = ${relationships}[${index}];`;
      if (operator.into) {
        out.block(`if (${neighbours}[${index}] === ${generator.local(operator.to)})`, () => {
          out.line(relationship);
          consume();
        });
      } else {
        out.line(relationship);
        out.line(`const ${generator.local(operator.to)} = ${neighbours}[${index}];`);
        consume();
      }
    });
  });
}

/** A loop over all walks from a node. */
export function produceVariableLengthExpand(
  operator: VariableLengthExpand,
  generator: Generator,
  consume: Consume,
): void {
  const { names } = generator;
  const { length } = operator;
  generator.produce(operator.source, () => {
    const { out } = generator;
    const walk = names.unique("walk");
    const accept = acceptFunction(length.accept, length.relationship, generator);
    const options = [
      "view",
      `direction: ${JSON.stringify(operator.direction)}`,
      `types: ${typeIds(operator.types, generator)}`,
      `minimum: ${length.minimum}`,
      `maximum: ${length.maximum ?? -1}`,
      `accept: ${accept}`,
      `repeatable: ${operator.repeatable}`,
    ];
    out.line(`const ${walk} = ${generator.call("newWalk", `{ ${options.join(", ")} }`)};`);
    out.line(`${walk}.start(${generator.local(operator.from)});`);
    const step = names.unique("step");
    // 0 is the end, 1 a walk, 2 a pause in a long search.
    out.block(`for (let ${step} = ${walk}.next(); ${step} !== 0; ${step} = ${walk}.next())`, () => {
      if (generator.canYield) {
        out.line(`if (${step} === 2) { yield TICK; continue; }`);
      } else {
        out.line(`if (${step} === 2) { continue; }`);
      }
      generator.tick();
      const needed = generator.liveAfter(operator).has(operator.relationships);
      const bind = (): void => {
        if (needed) {
          out.line(`const ${generator.local(operator.relationships)} = ${walk}.relationships(${operator.reversed});`);
        }
        consume();
      };
      if (operator.into) {
        out.block(`if (${walk}.node === ${generator.local(operator.to)})`, bind);
      } else {
        out.line(`const ${generator.local(operator.to)} = ${walk}.node;`);
        bind();
      }
    });
  });
}

/** The ends of a relationship that is there; read in both directions where the pattern has none. */
export function produceProjectEndpoints(operator: ProjectEndpoints, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const { out, names } = generator;
    const relationship = generator.local(operator.relationship);
    const ends = names.unique("ends");
    const list = operator.length === undefined ? `[${generator.call("newRelationship", relationship)}]` : relationship;
    const minimum = operator.length?.minimum ?? 1;
    const maximum = operator.length === undefined ? 1 : (operator.length.maximum ?? -1);
    const call = generator.call(
      "endpointsOf",
      "view",
      list,
      JSON.stringify(operator.direction),
      typeIds(operator.types, generator),
      String(minimum),
      String(maximum),
    );
    out.line(`const ${ends} = ${call};`);
    const index = names.unique("i");
    out.block(`for (let ${index} = 0; ${index} < ${ends}.length; ${index} += 2)`, () => {
      const conditions: string[] = [];
      const bind = (variable: typeof operator.from, known: boolean, value: string): void => {
        if (known) {
          conditions.push(`${value} === ${generator.local(variable)}`);
        } else {
          out.line(`const ${generator.local(variable)} = ${value};`);
        }
      };
      bind(operator.from, operator.fromKnown, `${ends}[${index}]`);
      // Both ends may be one variable: `(a)-[r]->(a)`.
      bind(operator.to, operator.toKnown || operator.to === operator.from, `${ends}[${index} + 1]`);
      if (conditions.length > 0) {
        out.block(`if (${conditions.join(" && ")})`, consume);
      } else {
        consume();
      }
    });
  });
}

export function produceShortestPath(operator: ShortestPath, generator: Generator, consume: Consume): void {
  generator.produce(operator.source, () => {
    const { out, names } = generator;
    const { length } = operator;
    const paths = names.unique("paths");
    const call = generator.call(
      "shortestPaths",
      "view",
      generator.local(operator.from),
      generator.local(operator.to),
      JSON.stringify(operator.direction),
      typeIds(operator.types, generator),
      String(length.minimum),
      String(length.maximum ?? -1),
      String(operator.all),
      acceptFunction(length.accept, length.relationship, generator),
    );
    out.line(`const ${paths} = ${call};`);
    const index = names.unique("i");
    out.block(`for (let ${index} = 0; ${index} < ${paths}.length; ${index} += 1)`, () => {
      generator.tick();
      out.line(`const ${generator.local(operator.path)} = ${paths}[${index}];`);
      if (generator.liveAfter(operator).has(operator.relationships)) {
        const ids = `${generator.local(operator.path)}.relationships`;
        const value = operator.relationships.isEntity
          ? `${ids}[0] ?? -1`
          : `${ids}.map((each) => ${generator.call("newRelationship", "each")})`;
        out.line(`const ${generator.local(operator.relationships)} = ${value};`);
      }
      consume();
    });
  });
}
