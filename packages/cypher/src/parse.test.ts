import { describe, expect, it } from "vitest";
import { type Match } from "./ast/clauses.ts";
import { type Mode } from "./ast/node.ts";
import { type Statement } from "./ast/statement.ts";
import { parseStatement } from "./parse.ts";
import { MODERN_STATEMENTS } from "./testing/modern-statements.ts";
import { failureOf, parseExpression, sketch, sketchLabels } from "./testing/sketch.ts";

function parse(text: string, mode: Mode = "modern"): Statement {
  return parseStatement(text, { mode });
}

function firstMatch(text: string, mode: Mode = "modern"): Match {
  const { body } = parse(text, mode);
  const clause = body.kind === "Query" ? body.first.clauses[0] : undefined;
  expect(clause?.kind).toBe("Match");
  return clause as Match;
}

describe("precedence", () => {
  it.each([
    ["1 + 2 * 3 ^ 4", "(+ 1 (* 2 (^ 3 4)))"],
    ["2 ^ 3 ^ 2", "(^ (^ 2 3) 2)"],
    ["-2 ^ 2", "(^ (- 2) 2)"],
    ["a OR b XOR c AND NOT d = e", "(OR a (XOR b (AND c (NOT (= d e)))))"],
    ["NOT a AND b", "(AND (NOT a) b)"],
    ["a < b = c <= d", "(chain a < b = c <= d)"],
    ["(a < b) < c", "(< (< a b) c)"],
    ["n.a.b[0].c", "(. ([] (. (. n a) b) 0) c)"],
    ["xs[1..], xs", "([..] xs 1 _)"],
    ["a - -1", "(- a (- 1))"],
    ["-x.y", "(- (. x y))"],
    ["'a' || 'b' + 'c'", '(+ (|| "a" "b") "c")'],
  ])("%s", (text, expected) => {
    expect(sketch(parseExpression(text))).toBe(expected);
  });

  it.each([
    ["1 + x IN [2]", "(IN (+ 1 x) [2])", "(+ 1 (IN x [2]))"],
    ["x IN l[0]", "(IN x ([] l 0))", "([] (IN x l) 0)"],
    ["a + b IS NULL", "(IS NULL (+ a b))", "(+ a (IS NULL b))"],
    ["'a' + 'b' STARTS WITH 'a'", '(STARTS WITH (+ "a" "b") "a")', '(+ "a" (STARTS WITH "b" "a"))'],
    ["-x IN [1]", "(IN (- x) [1])", "(- (IN x [1]))"],
    ["a = b IN c", "(= a (IN b c))", "(= a (IN b c))"],
    ["a =~ b =~ c", "(=~ (=~ a b) c)", "(=~ (=~ a b) c)"],
    ["a IS NOT NULL IS NULL", "(IS NULL (IS NOT NULL a))", "(IS NULL (IS NOT NULL a))"],
  ])("%s by mode", (text, modern, legacy) => {
    expect(sketch(parseExpression(text, "modern"))).toBe(modern);
    expect(sketch(parseExpression(text, "2.3"))).toBe(legacy);
  });
});

describe("literals", () => {
  it.each([
    ["0x1F", 31],
    ["0o17", 15],
    ["1_000", 1000],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    ["-0x8000000000000000", -9223372036854775808n],
  ])("integer %s", (text, value) => {
    expect(parseExpression(text)).toMatchObject({ kind: "IntegerLiteral", value });
  });

  it.each([
    ["RETURN -1e400", "floating point number is too large (line 1, column 8 "],
    ["RETURN - 1e400", "floating point number is too large (line 1, column 10 "],
    ["RETURN -9223372036854775809", "integer is too large (line 1, column 8 "],
    ["RETURN -1.a", "invalid literal number (line 1, column 8 "],
    ["RETURN 1e+5", "invalid literal number (line 1, column 8 "],
    ["RETURN [1][..]", "The start or end (or both) is required for a collection slice (line 1, column 14 "],
    ["RETURN extract(x IN [1] WHERE x > 1 | x)", "extract(...) should not contain a WHERE predicate"],
    ["RETURN reduce(a = 0, x IN [1])", "reduce(...) requires '| expression' (an accumulation expression)"],
    ["CREATE n = {x: 1}", "Parentheses are required to identify nodes in patterns (line 1, column 12 "],
    ["MATCH {n} RETURN n", "Parentheses are required to identify nodes in patterns (line 1, column 7 "],
    ["MATCH (n) SET (n):X", "Invalid input ':'"],
    ["CREATE CONSTRAINT ON ()-[r:R]-() ASSERT r.p IS UNIQUE", "Invalid input 'r'"],
    ["USING PERIODIC COMMIT -1 LOAD CSV FROM 'a' AS l CREATE (n)", "larger than zero, got -1 (line 1, column 23 "],
    ["USING PERIODIC COMMIT LOAD CSV FROM 'a' AS l CREATE (n) UNION CREATE (m)", "Invalid input 'I'"],
  ])("is refused by 2.3 where it says so: %s", (text, message) => {
    expect(failureOf(text, "2.3").message).toContain(message);
  });

  it("reads a leading zero as octal in 2.3 only, and never as decimal", () => {
    expect(parseExpression("017", "2.3")).toMatchObject({ value: 15 });
    expect(failureOf("RETURN 017").tckDetail).toBe("InvalidNumberLiteral");
    expect(failureOf("RETURN 0o17", "2.3").message).toContain("invalid literal number");
  });

  it("keeps floats floats", () => {
    expect(parseExpression("1.0")).toMatchObject({ kind: "FloatLiteral", value: 1 });
    expect(parseExpression(".5e1")).toMatchObject({ kind: "FloatLiteral", value: 5 });
  });

  it.each([
    ["9223372036854775808", "IntegerOverflow"],
    ["-9223372036854775809", "IntegerOverflow"],
    ["1e999", "FloatingPointOverflow"],
    ["0x", "InvalidNumberLiteral"],
    ["12ab", "InvalidNumberLiteral"],
    ["1x5", "InvalidNumberLiteral"],
    ["'\\uH'", "InvalidUnicodeLiteral"],
    ["'\\U00110000'", "InvalidUnicodeLiteral"],
    ["'\\d'", "UnexpectedSyntax"],
    ["'open", "UnexpectedSyntax"],
    ["42 — 41", "InvalidUnicodeCharacter"],
  ])("%s is %s", (text, detail) => {
    expect(failureOf(`RETURN ${text}`).tckDetail).toBe(detail);
  });

  it("unescapes strings and names", () => {
    expect(parseExpression(String.raw`'a\tb\'\\\u0041\U0001F600'`)).toMatchObject({ value: "a\tb'\\A😀" });
    expect(parseExpression("`a``b`")).toMatchObject({ kind: "Variable", name: "a`b" });
  });
});

describe("names and parameters", () => {
  it("takes both spellings of parameters", () => {
    expect(parseExpression("$p")).toMatchObject({ kind: "Parameter", name: "p", style: "dollar" });
    expect(parseExpression("{p}")).toMatchObject({ kind: "Parameter", name: "p", style: "braces" });
    expect(parseExpression("{0}", "2.3")).toMatchObject({ kind: "Parameter", name: "0" });
    expect(parseExpression("{}")).toMatchObject({ kind: "MapLiteral", entries: [] });
  });

  it("reads $ as part of a name in 2.3", () => {
    expect(parseExpression("$p", "2.3")).toMatchObject({ kind: "Variable", name: "$p" });
    expect(parseExpression("a$b", "2.3")).toMatchObject({ kind: "Variable", name: "a$b" });
  });

  it("reserves no word", () => {
    for (const name of ["match", "return", "not", "case", "all", "count", "end", "exists"]) {
      parse(`WITH 1 AS ${name} RETURN ${name}`);
    }
  });

  it("keeps the text of columns verbatim", () => {
    const { body } = parse("RETURN  1 +  2 , n.x AS y");
    const projection =
      body.kind === "Query" && body.first.clauses[0]?.kind === "Return" ? body.first.clauses[0].projection : undefined;
    expect(projection?.items.map(({ text }) => text)).toEqual(["1 +  2", "n.x"]);
  });
});

describe("patterns", () => {
  it("reads arrows, types, lengths and look-alike dashes", () => {
    const [part] = firstMatch("MATCH (a)<—[r:A|:B*1..3 {x: 1}]-(b)--c RETURN a").pattern;
    expect(part?.path.elements).toMatchObject([
      { kind: "NodePattern", parenthesized: true },
      { direction: "incoming", variable: { name: "r" }, length: { from: { value: 1 }, to: { value: 3 } } },
      { kind: "NodePattern" },
      { direction: "both", types: undefined },
      { kind: "NodePattern", parenthesized: false, variable: { name: "c" } },
    ]);
  });

  it("tells label expressions from the bar of a comprehension", () => {
    const inPattern = firstMatch("MATCH (n:A&(B|!C)|%) RETURN n").pattern[0]?.path.elements[0];
    expect(inPattern?.kind === "NodePattern" && inPattern.labels && sketchLabels(inPattern.labels)).toBe(
      "(| (& A (| B (! C))) %)",
    );
    expect(sketch(parseExpression("n:A|B"))).toBe("(: n (| A B))");
    expect(parseExpression("[x IN xs WHERE x:A | x.p]")).toMatchObject({
      where: { kind: "LabelPredicate", labels: { kind: "LabelName" } },
      projection: { kind: "PropertyAccess" },
    });
  });

  it("takes patterns for predicates, and in 2.3 for values", () => {
    parse("MATCH (a) WHERE (a)-->() AND NOT (a)<--(:B) RETURN exists((a)-->())");
    expect(failureOf("MATCH (a) RETURN (a)-->()").tckDetail).toBe("UnexpectedSyntax");
    expect(failureOf("MATCH (a) RETURN size((a)-->())").tckDetail).toBe("UnexpectedSyntax");
    parse("MATCH (a) RETURN (a)-->(), size((a)-->()), length((a)-->())", "2.3");
  });

  it("doesn't take arithmetic for patterns", () => {
    expect(sketch(parseExpression("(a) - (b)"))).toBe("(- a b)");
    expect(sketch(parseExpression("(a.x) - [1]"))).toBe("(- (. a x) [1])");
    expect(sketch(parseExpression("(a) - [1]"))).toBe("(- a [1])");
    expect(sketch(parseExpression("a < -1"))).toBe("(< a (- 1))");
    expect(sketch(parseExpression("a--b"))).toBe("(- a (- b))");
  });

  it("refuses the optional marks of 1.x with an explanation", () => {
    expect(failureOf("MATCH (a)-[r?:KNOWS]->(b) RETURN a").message).toContain("use OPTIONAL MATCH instead");
    expect(failureOf("MATCH (n) WHERE n.age! = 30 RETURN n").message).toContain("no longer supported");
    expect(failureOf("MATCH n:A RETURN n").message).toContain("Parentheses are required");
  });
});

describe("modes and prefixes", () => {
  it.each([
    ["CYPHER 2.3 RETURN 1 AS x", "2.3", "2.3"],
    ["cypher 1.9 start n=node(*) return 1 as x", "1.9", "2.3"],
    ["CYPHER 5 RETURN $p AS x", "5", "modern"],
    ["CYPHER 25 planner=dp RETURN 1 AS x", "25", "modern"],
    ["CYPHER planner=cost runtime=interpreted RETURN 1 AS x", undefined, "modern"],
  ])("%s", (text, version, mode) => {
    expect(parse(text)).toMatchObject({ mode, prefix: { version } });
  });

  it.each([
    ["CYPHER 1.9 MATCH (n) RETURN n", 'expected START or CREATE\n"MATCH (n) RETURN n"\n ^'],
    ["CYPHER 1.9 CREATE (n:Label) RETURN n", "not known in Cypher 1.9"],
    ["CYPHER 1.9 START n=node(*) OPTIONAL MATCH (n)-->(m) RETURN m", "not known in Cypher 1.9"],
  ])("knows no labels and few clauses in 1.9: %s", (text, message) => {
    expect(failureOf(text).code).toBe("ClientError.Statement.InvalidSyntax");
    expect(failureOf(text).message).toContain(message);
  });

  it("takes a DISTINCT with nothing behind it for a name in 2.3", () => {
    expect(parse("WITH 1 AS distinct RETURN distinct", "2.3").body.kind).toBe("Query");
    expect(() => parse("WITH 1 AS distinct RETURN distinct")).toThrow("Unexpected end of input");
  });

  it("takes the last of several runtimes in 2.3", () => {
    expect(() => parse("CYPHER runtime=interpreted runtime=compiled RETURN 1 AS x", "2.3")).not.toThrow();
    expect(() => parse("CYPHER runtime=interpreted runtime=compiled RETURN 1 AS x")).toThrow("conflicting");
  });

  it("lets the version decide what is a token", () => {
    const { body } = parse("CYPHER 2.3 WITH 1 AS $a RETURN $a");
    expect(body).toMatchObject({
      first: { clauses: [{}, { projection: { items: [{ expression: { name: "$a" } }] } }] },
    });
  });

  it("collects EXPLAIN, PROFILE and the old PLANNER", () => {
    expect(parse("EXPLAIN EXPLAIN RETURN 1 AS x").prefix.execution).toBe("explain");
    expect(parse("PROFILE CYPHER 2.3 RETURN 1 AS x").prefix.execution).toBe("profile");
    expect(parse("PLANNER RULE RETURN 1 AS x").prefix).toMatchObject({
      options: [{ name: "planner", value: "rule" }],
      deprecatedPlanner: { offset: 0 },
    });
  });

  it.each([
    ["EXPLAIN PROFILE RETURN 1", "Can't specify multiple conflicting Cypher execution modes"],
    ["CYPHER 2.3 CYPHER 2.2 RETURN 1", "Can't specify multiple conflicting Cypher versions"],
    ["CYPHER 2.2 runtime=interpreted RETURN 1", "RUNTIME not supported in versions older than Neo4j v2.3"],
    ["CYPHER 1.9 EXPLAIN RETURN 1", "EXPLAIN not supported in versions older than Neo4j v2.2"],
  ])("%s contradicts itself", (text, message) => {
    expect(failureOf(text, "2.3")).toMatchObject({ code: "ClientError.Statement.InvalidArguments", message });
  });

  it("names the versions it knows", () => {
    expect(failureOf("CYPHER 2.1 RETURN 1", "2.3").message).toBe("Supported CypherVersion values are: 1.9, 2.2, 2.3");
    expect(failureOf("CYPHER 3.0 RETURN 1").message).toBe("Supported CypherVersion values are: 1.9, 2.2, 2.3, 5, 25");
  });

  it.each(
    MODERN_STATEMENTS.filter((text) =>
      /CALL|EXISTS \{|\|\||IS ::|SHOW|FINISH|INSERT|FOR \(|USE |SHORTEST \d|\{\.name/.test(text),
    ),
  )("2.3 refuses later syntax: %s", (text) => {
    expect(failureOf(text.replace(/^CYPHER \d+/, ""), "2.3").code).toBe("ClientError.Statement.InvalidSyntax");
  });
});

describe("statements", () => {
  it("knows a call that stands alone", () => {
    const callOf = (text: string): unknown => {
      const { body } = parse(text);
      return body.kind === "Query" ? body.first.clauses[0] : undefined;
    };
    expect(callOf("CALL db.labels")).toMatchObject({ standalone: true, arguments: undefined, namespace: ["db"] });
    expect(callOf("CALL db.labels() YIELD label RETURN label")).toMatchObject({ standalone: false, arguments: [] });
  });

  it("allows one semicolon and counts further statements", () => {
    parse("RETURN 1 AS x;");
    expect(failureOf("RETURN 1 ; RETURN 2").message).toBe("Expected exactly one statement per query but got: 2");
    expect(failureOf("RETURN 1;;").tckDetail).toBe("UnexpectedSyntax");
  });

  it("refuses reading clauses in FOREACH by name", () => {
    expect(failureOf("FOREACH (x IN [1] | MATCH (n) SET n.x = 1)").message).toContain(
      "Invalid use of MATCH inside FOREACH",
    );
  });

  it("refuses an empty statement, with the real server's code in 2.3", () => {
    expect(failureOf(" ").code).toBe("ClientError.Statement.InvalidSyntax");
    expect(failureOf(" ", "2.3").code).toBe("DatabaseError.Statement.ExecutionFailure");
  });
});

describe("error messages", () => {
  it("name the place, show its line and point at it", () => {
    expect(failureOf("MATCH (n)\nRETURN [1 2]\nLIMIT 1").message).toBe(
      "Invalid input '2': expected '.', ':', '[', an operator, ',' or ']' (line 2, column 11 (offset: 20))\n" +
        '"RETURN [1 2]"\n' +
        "           ^",
    );
  });

  it("say when the text ends too early", () => {
    const failure = failureOf("MATCH (n) RETURN n LIMIT");
    expect(failure.message).toMatch(
      /^Unexpected end of input: expected an expression \(line 1, column 25 \(offset: 24\)\)/,
    );
    expect(failure.position).toEqual({ offset: 24, line: 1, column: 25 });
  });

  it.each([
    ["invalid query", "Invalid input 'i': expected <init> (line 1, column 1 (offset: 0))"],
    ["(n)", "Invalid input '(': expected <init> (line 1, column 1 (offset: 0))"],
    ["EXPLAI MATCH (n) RETURN n", "Invalid input 'E': expected <init> (line 1, column 1 (offset: 0))"],
    ["CYPHER 2.3 nothing", "Invalid input 'n': expected <init> (line 1, column 12 (offset: 11))"],
    ["MATC (n) RETURN n", "Invalid input ' ': expected 'h/H' (line 1, column 5 (offset: 4))"],
    ["matchx", "Invalid input 'x' (line 1, column 6 (offset: 5))"],
    ["UPDATE n", "Invalid input 'P': expected 'n/N' or 's/S' (line 1, column 2 (offset: 1))"],
    ["DE", "Unexpected end of input: expected 'l/L' or 't/T' (line 1, column 3 (offset: 2))"],
    ["DROP INDE ON :A(b)", "Invalid input ' ': expected 'x/X' (line 1, column 10 (offset: 9))"],
    ["MATCH (n) RETRUN n", "Invalid input 'R': expected 'u/U' (line 1, column 14 (offset: 13))"],
    ["MATCH (n) WHER n.x RETURN n", "Invalid input ' ': expected 'e/E' (line 1, column 15 (offset: 14))"],
    ["RETURN 1 S", "Unexpected end of input: expected 't/T', 'k/K' or 'e/E' (line 1, column 11 (offset: 10))"],
  ])("are about the letter at which a keyword goes wrong in 2.3 (measured): %s", (text, message) => {
    expect(failureOf(text, "2.3").message.split("\n")[0]).toBe(message);
  });

  it("point at operators as 2.3 does", () => {
    expect(parseExpression("[1] + 1 IN [1]", "2.3").position.offset).toBe("RETURN [1] ".length);
    expect(failureOf("RETURN 1 != 2").message).toContain("(you probably meant to use '<>'");
  });
});
