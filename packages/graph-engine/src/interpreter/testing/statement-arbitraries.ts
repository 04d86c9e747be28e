import fc from "fast-check";

/** Statements that read a tiny graph of labels A and B, types R and S, properties p (numbers) and q (mixed). */

const NODES = ["a", "b", "c"] as const;

const literal = fc.constantFrom(
  "0",
  "1",
  "2",
  "-1",
  "1.0",
  "2.5",
  "'x'",
  "'y'",
  "''",
  "true",
  "false",
  "null",
  "[1, null]",
  "[]",
  "{k: 1}",
  "0.0 / 0.0",
);

/** Expressions over the variables that are in scope, named by position so that any scope will do. */
function expression(variables: readonly string[], canFail: boolean): fc.Arbitrary<string> {
  const variable = variables.length === 0 ? literal : fc.constantFrom(...variables);
  const property =
    variables.length === 0
      ? literal
      : fc.tuple(variable, fc.constantFrom("p", "q", "none")).map((parts) => parts.join("."));
  return fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      literal,
      property,
      property,
      binary(tie("any"), "=", "<>", "<", "<=", ">", ">="),
      ...(canFail ? [binary(tie("any"), "+", "-", "*", "/", "%")] : []),
      binary(predicate(tie("any")), "AND", "OR", "XOR"),
      predicate(tie("any")).map((operand) => `(NOT ${operand})`),
      tie("any").map((operand) => `(${operand} IS NULL)`),
      fc
        .tuple(tie("any"), fc.array(tie("any"), { maxLength: 3 }))
        .map(([element, list]) => `(${element} IN [${list.join(", ")}])`),
      fc.array(tie("any"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
      fc
        .tuple(tie("any"), tie("any"), tie("any"))
        .map(([when, then, otherwise]) => `CASE ${when} WHEN ${then} THEN ${otherwise} ELSE 0 END`),
      fc.tuple(predicate(tie("any")), tie("any")).map(([when, then]) => `CASE WHEN ${when} THEN ${then} END`),
      tie("any").map((operand) => `coalesce(${operand}, 7)`),
      tie("any").map((operand) => `toStringOrNull(${operand})`),
      fc
        .tuple(fc.array(tie("any"), { maxLength: 3 }), fc.constantFrom("all", "any", "none", "single"))
        .map(([items, quantifier]) => `${quantifier}(x IN [${items.join(", ")}] WHERE x = 1)`),
      fc.array(tie("any"), { maxLength: 3 }).map((items) => `[x IN [${items.join(", ")}] WHERE x IS NOT NULL | x]`),
      fc
        .array(tie("any"), { maxLength: 3 })
        .map((items) => `reduce(n = 0, x IN [${items.join(", ")}] | n + size(toStringOrNull(x)))`),
      fc
        .tuple(fc.array(tie("any"), { maxLength: 3 }), fc.integer({ min: -3, max: 3 }))
        .map(([items, index]) => `[${items.join(", ")}][${index}]`),
    ),
  })).any;
}

/** Something that is a truth value for certain. */
function predicate(operand: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    binary(operand, "=", "<>", "<", ">="),
    operand.map((inner) => `(${inner} IS NOT NULL)`),
    fc.constantFrom("true", "false", "null"),
  );
}

function binary(operand: fc.Arbitrary<string>, ...operators: string[]): fc.Arbitrary<string> {
  return fc.tuple(operand, fc.constantFrom(...operators), operand).map((parts) => `(${parts.join(" ")})`);
}

interface Pattern {
  readonly text: string;
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
}

/** A chain of up to two relationships, or a cycle, perhaps with a chord; now and then a node comes twice. */
function pattern(prefix: string): fc.Arbitrary<Pattern> {
  const node = (usual: string): fc.Arbitrary<[string, string]> =>
    fc.tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...NODES) }),
      fc.constantFrom("", "", "", ":A", ":B", ":A:B", " {p: 1}"),
    );
  const step = (usual: string): fc.Arbitrary<[string, string[], [string, string]]> =>
    fc.tuple(
      fc.constantFrom("", "", ":R", ":R|S", ":S", "*0..1", "*1..2", ":R*2"),
      fc.constantFrom(["-", "->"], ["<-", "-"], ["-", "-"], ["-", "-"]),
      node(usual),
    );
  const [toB, toC, backToA] = [step("b"), step("c"), step("a")];
  const steps = fc.oneof(
    { weight: 3, arbitrary: fc.tuple() },
    { weight: 3, arbitrary: fc.tuple(toB) },
    { weight: 3, arbitrary: fc.tuple(toB, toC) },
    { weight: 1, arbitrary: fc.tuple(toB, toC, backToA) },
    { weight: 1, arbitrary: fc.tuple(toB, toC, backToA, toC) },
  );
  return fc.tuple(node("a"), steps).map(([[first, firstRest], chain]) => {
    let text = `(${first}${firstRest})`;
    const nodes = [first];
    const relationships: string[] = [];
    chain.forEach(([detail, [left, right], [name, rest]], index) => {
      const relationship = `${prefix}${index}`;
      text += `${left}[${relationship}${detail}]${right}(${name}${rest})`;
      nodes.push(name);
      if (!detail.includes("*")) {
        relationships.push(relationship);
      }
    });
    return { text, nodes: [...new Set(nodes)], relationships };
  });
}

function where(variables: readonly string[], canFail: boolean): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: predicate(expression(variables, canFail)).map((text) => ` WHERE ${text}`) },
  );
}

/** RETURN with plain columns, DISTINCT, or aggregates; ORDER BY all of it when rows are cut, so that the cut is settled. */
function projection(nodes: readonly string[], variables: readonly string[], canFail: boolean): fc.Arbitrary<string> {
  const column = fc.oneof(
    expression(variables, canFail),
    ...nodes.flatMap((node) => [
      fc.constant(`id(${node})`),
      fc.constant(`EXISTS { (${node})-[:R]->() }`),
      fc.constant(`COUNT { (${node})--(z) WHERE z.p > 0 }`),
      fc.constant(`[(${node})-->(z:A) | z.p]`),
      fc.constant(`labels(${node})`),
    ]),
  );
  const aggregate = fc.oneof(
    fc.constant("count(*)"),
    fc
      .tuple(fc.constantFrom("count", "min", "max", "count(DISTINCT"), expression(variables, canFail))
      .map(([name, inner]) => (name.includes("(") ? `${name} ${inner})` : `${name}(${inner})`)),
  );
  const order = fc.constantFrom("", " ORDER BY c0 SKIP 0", " ORDER BY c0 DESC");
  return fc.oneof(
    fc
      .tuple(fc.constantFrom("", "DISTINCT "), fc.array(column, { minLength: 1, maxLength: 3 }), order)
      .map(([distinct, columns, tail]) => `RETURN ${distinct}${named(columns)}${tail}`),
    fc
      .tuple(fc.array(column, { minLength: 1, maxLength: 2 }), aggregate)
      .map(([columns, last]) => `RETURN ${named([...columns, last])}`),
  );
}

function named(columns: readonly string[]): string {
  return columns.map((column, index) => `${column} AS c${index}`).join(", ");
}

/**
 * One or two MATCHes, perhaps OPTIONAL, perhaps a WITH or an UNWIND between, then RETURN.
 *
 * @param canFail  with arithmetic, which refuses values of other types when rows are made
 */
export function statements(canFail: boolean): fc.Arbitrary<string> {
  return fc
    .tuple(
      pattern("r"),
      pattern("s"),
      fc.constantFrom("", "MATCH ", "OPTIONAL MATCH "),
      fc.constantFrom("", "UNWIND [1, 2, null] AS u ", "WITH * "),
    )
    .chain(([first, second, secondMatch, between]) => {
      const nodes = secondMatch === "" ? first.nodes : [...new Set([...first.nodes, ...second.nodes])];
      const later = [...nodes, ...first.relationships, ...(secondMatch === "" ? [] : second.relationships)];
      return fc
        .tuple(
          where([...first.nodes, ...first.relationships], canFail),
          where(later, canFail),
          projection(nodes, later, canFail),
        )
        .map(([whereFirst, whereSecond, result]) => {
          const match = secondMatch === "" ? "" : `${secondMatch}${second.text}${whereSecond} `;
          return `MATCH ${first.text}${whereFirst} ${between}${match}${result}`;
        });
    });
}
