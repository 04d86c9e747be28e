import {
  type CountExpand,
  type Expand,
  type PathElementCondition,
  type ProjectEndpoints,
  type ShortestPath,
  type VariableLengthExpand,
} from "../logical-plan/operator.ts";
import { typeIds } from "./compile-subquery.ts";
import { type Consume, type Generator } from "./generator.ts";

/** A loop over a node's relationships; one expansion per operator serves all its turns. */
export function produceExpand(operator: Expand, generator: Generator, consume: Consume): void {
  const { names } = generator;
  const expansion = declareExpansion(operator, generator);
  generator.produce(operator.source, () => {
    const { out } = generator;
    const from = generator.local(operator.from);
    const end = names.unique("end");
    const open = operator.into ? `openInto(${from}, ${generator.local(operator.to)})` : `open(${from})`;
    out.line(`const ${end} = ${expansion}.${open};`);
    const neighbours = names.unique("neighbours");
    const relationships = names.unique("relationships");
    const needsRelationship = generator.liveAfter(operator).has(operator.relationship);
    out.line(`const ${neighbours} = ${expansion}.neighbours;`);
    if (needsRelationship) {
      out.line(`const ${relationships} = ${expansion}.relationships;`);
    }
    const index = names.unique("i");
    const first = names.unique("first");
    const loop = isYoungestFirst(generator)
      ? `for (let ${index} = ${end} - 1, ${first} = ${expansion}.first; ${index} >= ${first}; ${index} -= 1)`
      : `for (let ${index} = ${expansion}.first; ${index} < ${end}; ${index} += 1)`;
    out.block(loop, () => {
      const bind = (): void => {
        if (needsRelationship) {
          out.line(`const ${generator.local(operator.relationship)} = ${relationships}[${index}];`);
        }
        consume();
      };
      generator.tick();
      if (operator.into) {
        out.block(`if (${neighbours}[${index}] === ${generator.local(operator.to)})`, bind);
      } else {
        out.line(`const ${generator.local(operator.to)} = ${neighbours}[${index}];`);
        bind();
      }
    });
  });
}

/** Made before the first row: what reads the operator's relationships (runtime/expansion.ts). */
export function declareExpansion(operator: Expand | CountExpand, generator: Generator): string {
  const { direction, types } = operator;
  const expansion = generator.names.unique(types.length === 0 ? "connected" : types.join("_or_"));
  const options = [JSON.stringify(direction), wantedTypes(types, generator)];
  // What is only counted has no order.
  if (operator.kind === "Expand" && isYoungestFirst(generator)) {
    options.push("true");
  }
  generator.prologue.line(`const ${expansion} = ${generator.call("newExpansion", "view", ...options)};`);
  return expansion;
}

/** 2.3 meets a node's relationships the youngest first, so loops go backwards over what is in order of age. */
function isYoungestFirst({ mode }: Generator): boolean {
  return mode === "2.3";
}

/** The ids of relationship types, or what gives them: a statement that writes may make the type while it runs. */
export function wantedTypes(types: readonly string[], generator: Generator): string {
  const ids = typeIds(types, generator);
  return generator.options.updating && types.length > 0 ? `() => ${ids}` : ids;
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
    const accept = elementTest(operator, "relationship", generator);
    const options = [
      "view",
      `direction: ${JSON.stringify(operator.direction)}`,
      `types: ${typeIds(operator.types, generator)}`,
      `minimum: ${length.minimum}`,
      `maximum: ${length.maximum ?? -1}`,
      `accept: ${accept}`,
      `repeatable: ${operator.repeatable}`,
    ];
    // Where a step meets the youngest first, 2.3's walks go along the oldest first.
    if (isYoungestFirst(generator)) {
      options.push("byAge: true");
    }
    const declaration = (search: "newReach" | "newWalk"): string =>
      `const ${walk} = ${generator.call(search, `{ ${options.join(", ")} }`)};`;
    // The marks of a search by ends have no room for nodes that the statement itself makes.
    if (operator.distinctEnds === true && !generator.options.updating) {
      generator.prologue.line(declaration("newReach"));
    } else {
      out.line(declaration("newWalk"));
    }
    out.line(`${walk}.start(${generator.local(operator.from)});`);
    const step = names.unique("step");
    // 0 is the end, 1 a walk, 2 a pause in a long search.
    out.block(`for (let ${step} = ${walk}.next(); ${step} !== 0; ${step} = ${walk}.next())`, () => {
      if (generator.canYield) {
        out.line(`if (${step} === 2) { yield PAUSE; continue; }`);
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
    const conditions = [
      elementTest(operator, "relationship", generator),
      elementTest(operator, "node", generator),
      pathTest(operator, generator),
    ];
    const call = generator.call(
      generator.canYield ? "searchShortestPaths" : "shortestPaths",
      "view",
      generator.local(operator.from),
      generator.local(operator.to),
      JSON.stringify(operator.direction),
      typeIds(operator.types, generator),
      String(length.minimum),
      String(length.maximum ?? -1),
      String(operator.all),
      `{ relationship: ${conditions[0]}, node: ${conditions[1]}, path: ${conditions[2]} }`,
    );
    out.line(`const ${paths} = ${generator.canYield ? "yield* " : ""}${call};`);
    const index = names.unique("i");
    out.block(`for (let ${index} = 0; ${index} < ${paths}.length; ${index} += 1)`, () => {
      generator.tick();
      out.line(`const ${generator.local(operator.path)} = ${paths}[${index}];`);
      if (generator.liveAfter(operator).has(operator.relationships)) {
        const value = relationshipsOf(generator.local(operator.path), operator.relationships, generator);
        out.line(`const ${generator.local(operator.relationships)} = ${value};`);
      }
      consume();
    });
  });
}

/** A function that judges one node or relationship of a path by its id. */
function elementTest(
  { elements }: ShortestPath | VariableLengthExpand,
  entity: PathElementCondition["entity"],
  generator: Generator,
): string {
  const mine = elements.filter((element) => element.entity === entity);
  if (mine.length === 0) {
    return "undefined";
  }
  const { out, names } = generator;
  return closure(entity === "node" ? "acceptNode" : "acceptRelationship", names.unique("id"), generator, (id) => {
    // Two properties of one pattern are two conditions on one variable.
    for (const variable of new Set(mine.map((element) => element.variable))) {
      const value = variable.isEntity ? id : generator.call(entity === "node" ? "newNode" : "newRelationship", id);
      out.line(`const ${generator.local(variable)} = ${value};`);
    }
    for (const { where, wanted } of mine) {
      if (wanted) {
        out.line(`if (!(${generator.predicate(where)})) { return false; }`);
      } else {
        const truth = generator.call("truthOf", generator.expression(where), "mode");
        out.line(`if (${truth} !== false) { return false; }`);
      }
    }
    out.line("return true;");
  });
}

/** A function that judges a whole path. It may hold subqueries: where the statement can yield, it can. */
function pathTest({ path, relationships, predicates }: ShortestPath, generator: Generator): string {
  if (predicates.length === 0) {
    return "undefined";
  }
  const { out, names } = generator;
  const holds = names.unique("holds");
  const name = generator.local(path);
  out.block(`const ${holds} = function* (${name})`, () => {
    out.line(`const ${generator.local(relationships)} = ${relationshipsOf(name, relationships, generator)};`);
    for (const predicate of predicates) {
      out.line(`if (!(${generator.predicate(predicate)})) { return false; }`);
    }
    out.line("return true;");
  });
  return holds;
}

/** A plain function with one argument: nothing in it can yield. */
function closure(stem: string, argument: string, generator: Generator, body: (argument: string) => void): string {
  const name = generator.names.unique(stem);
  const before = generator.canYield;
  generator.canYield = false;
  generator.out.block(`const ${name} = (${argument}) =>`, () => {
    body(argument);
  });
  generator.canYield = before;
  return name;
}

function relationshipsOf(path: string, variable: ShortestPath["relationships"], generator: Generator): string {
  const ids = `${path}.relationships`;
  return variable.isEntity ? `${ids}[0] ?? -1` : `${ids}.map((each) => ${generator.call("newRelationship", "each")})`;
}
