import { describe, expect, test } from "vitest";
import { TestGraph } from "../test-graph.ts";

/** What the 2.3 server said (measured). */
describe("messages of 2.3", () => {
  test.each([
    ["MATCH (n:A) RETURN id(n.k)", "Expected `n.k` to be a node or relationship, but it was ``"],
    ["MATCH (n:A) RETURN rels(n.k)", "Expected n.k to be a path."],
    ["MATCH (n:A) RETURN keys(n.k)", "Expected n.k to be a node, relationship,or a literal map,\nbut it was Integer"],
    ["MATCH (n:A) RETURN sum(n.s)", "SUM(n.s) can only handle numerical values, or null."],
    ["MATCH (n:A) RETURN stdev(n.s)", "STDEV(n.s) can only handle numerical values, or null."],
    ["MATCH (n:A) RETURN max(n.l)", "MIN/MAX can only handle values of Comparable type, or null. This was a :n.l"],
    ["MATCH (n:A) RETURN last(n.k)", "or by performing a map lookup using a string key (found: 1[-1])"],
    ["MATCH (n:A) DELETE n.k", "Expression `n.k` yielded `1`. Don't know how to delete that."],
    ["MATCH (n:A) SET n.x = [{a: 1}, {a: 2}]", "Collections containing mixed types can not be stored in properties."],
    ["MATCH (n:A) DETACH DELETE n CREATE (n)-[:R]->()", "is deleted and cannot be used to create a relationship"],
    ["UNWIND [1, 2, 'a'] AS x RETURN x ORDER BY x", 'mixed types. Left: "a" (String); Right: 2 (Long)'],
  ])("%s", async (statement, message) => {
    const graph = await TestGraph.open("CREATE (:A {k: 1, s: 'x', l: [1, 2]})");
    await expect(graph.run(`CYPHER 2.3 ${statement}`)).rejects.toThrow(message);
  });

  test.each([
    ["UNWIND [1, 'a'] AS x RETURN sum(x)", "Type mismatch: expected Float or Integer but was Any"],
    ["UNWIND [1, 2.5] AS x RETURN abs(x)", "Type mismatch: expected Float or Integer but was Number"],
    ["UNWIND [1, 2.5] AS x RETURN stdev(x)", "Type mismatch: expected Float but was Number"],
    ["UNWIND [[1, 'a'], [null, 'b']] AS r RETURN max(r[0])", "Type mismatch: expected Float or Integer but was Any"],
    ["UNWIND [1, 'a'] AS x RETURN x AND true", "Type mismatch: expected Boolean but was Any"],
    ["UNWIND [1, 'a'] AS x RETURN x + 1", "Type mismatch: expected Collection<Any> but was Integer"],
    [
      "RETURN [1, 'a'] + 2",
      "Type mismatch: expected Any, Collection<Any> or Collection<Collection<Any>> but was Integer",
    ],
    ["RETURN 1 < 2.5", "Type mismatch: expected Integer but was Float"],
    ["RETURN 'a' < 1", "Type mismatch: expected String but was Integer"],
    ["RETURN 2.5 - 'a'", "Type mismatch: expected Float but was String"],
    ["RETURN [] < 1", "Type mismatch: expected Float, Integer or String but was Collection<T>"],
    ["RETURN ['a', null] < 1", "was Collection<Any> or Collection<String>"],
    ["RETURN [null, 1] < 1", "was Collection<Any>, Collection<Integer> or Collection<Number>"],
    ["RETURN 1 + ['a']", "expected Float, Integer, String or Collection<Integer> but was Collection<String>"],
    ["RETURN ([1] + {p}) < 1", "was Collection<Integer> or Collection<Collection<Integer>>"],
    ["RETURN (CASE WHEN true THEN 1 ELSE 'a' END) < true", "Type mismatch: expected Integer or String but was Boolean"],
    ["RETURN coalesce({p}, true) < 1", "but was Any or Boolean"],
    ["RETURN 1['a']", "Type mismatch: expected Map, Node or Relationship but was Integer"],
    ["RETURN [1, 2]['a'..]", "Type mismatch: expected Integer but was String"],
    ["RETURN 1 AS x LIMIT 'a'", "Invalid input '\"a\"' is not a valid value, must be a positive integer"],
    ["RETURN exists(1)", "Argument to exists(...) is not a property or pattern"],
    ["CREATE (a)--(b)", "Only directed relationships are supported in CREATE"],
    ["RETURN [x IN [1] | x * x] < 1", "but was Collection<Integer>"],
    ["RETURN tail({p}) < 1", "but was Collection<T>"],
    ["RETURN {p}[1..] < 1", "but was Collection<T> (line 1, column 26"],
    ["RETURN abs({p}) AND true", "Type mismatch: expected Boolean but was Float or Integer"],
    ["RETURN reduce(acc = 0, x IN ['a'] | acc + x)", "accumulator is Integer but expression has type String"],
    ["RETURN reduce(acc = '', x IN {p} | acc + x) / 1", "Type mismatch: expected Float or Integer but was String"],
    [
      "MATCH (n)-[r]->(), ()-[r*]->() RETURN r",
      "r already defined with conflicting type Relationship (expected Collection<Relationship>)",
    ],
    ["MATCH (n) WITH 1 AS n MATCH (n) RETURN n", "n already defined with conflicting type Integer (expected Node)"],
    [
      "MATCH ()-[r]->(), ()-[r]->() RETURN r",
      "Cannot use the same relationship identifier 'r' for multiple patterns (line 1, column 22",
    ],
    [
      "OPTIONAL MATCH (n) MATCH (m) RETURN m",
      "MATCH cannot follow OPTIONAL MATCH (perhaps use a WITH clause between them)",
    ],
    [
      "RETURN 1 AS a, 2 AS b, 3 AS b",
      "Multiple result columns with the same name are not supported (line 1, column 27",
    ],
    ["RETURN keys(1)", "Type mismatch: expected Map, Node or Relationship but was Integer"],
    ["RETURN 1.a", "invalid literal number"],
    ["RETURN 1/0 AS x, y", "y not defined"],
    ["RETURN 1:R", "Type mismatch: expected Node but was Integer (line 1, column 19"],
    ["MATCH ()-[r]->() RETURN r:R", "Type mismatch: expected Node but was Relationship"],
    ["MERGE (:P) ON MATCH SET n.m = 1 ON CREATE SET n.c = 1", "n not defined (line 1, column 36"],
    ["CREATE (x)-->(y) RETURN p", "p not defined"],
    ["WITH 1 AS n SET n.x = 1", "Type mismatch: expected Map, Node or Relationship but was Integer"],
    ["WITH 1 AS n REMOVE n.x", "Type mismatch: expected Map, Node or Relationship but was Integer"],
    ["MERGE (x {k: null})-[:R {w: null}]->(y)", "Cannot merge relationship using null property value for w"],
    ["MERGE (x {k: null})", "Cannot merge node using null property value for k"],
    ["RETURN 'a'[1..2]", "Type mismatch: expected Collection<T> but was String"],
    ["RETURN {a: 1}[true]", "Type mismatch: expected String but was Boolean"],
    ["RETURN 1 AS a UNION RETURN x AS a UNION ALL RETURN 3 AS a", "Invalid combination of UNION and UNION ALL"],
    ["MATCH (m) SET n += q", "n not defined (line 1, column 26"],
    ["MATCH (m) SET n.x = q", "n not defined (line 1, column 26"],
    ["MATCH (a), (b) RETURN shortestPath((a)-[*]->(c)) AS p", "c not defined (line 1, column 57"],
    ["MATCH (a), (b) RETURN shortestPath((a)-[r*]->(b)) AS p", "r not defined (line 1, column 52"],
    ["MATCH (a)-[r]->(r) RETURN a", "r already defined with conflicting type Relationship (expected Node)"],
    ["CREATE (a)-[r:R]->(r)", "r already defined with conflicting type Relationship (expected Node)"],
    [
      "WITH 1 AS a CREATE (a:B)-[:R]->(b)",
      "a already defined with conflicting type Integer (expected Node) (line 1, column 32",
    ],
  ])("a literal list of several types is of one above them: %s", async (statement, message) => {
    const graph = await TestGraph.open();
    await expect(graph.run(`CYPHER 2.3 ${statement}`)).rejects.toThrow(message);
  });

  test.each([
    ["RETURN -1 IS NULL", false],
    ["RETURN -1 IN [1, -1]", true],
    ["RETURN 2.5 < 1", false],
    ["RETURN true AND {p}", 1],
  ])("%s", async (statement, expected) => {
    const graph = await TestGraph.open();
    expect((await graph.run(`CYPHER 2.3 ${statement}`, { p: 1 })).rows).toEqual([[expected]]);
  });

  test.each([
    ["CREATE (n:A) CREATE (m)-[:R]->(n {a: 1})"],
    ["CREATE (n:A)-[:R]->(n:B)"],
    ["CREATE (n:A) WITH n CREATE (n:A)-[:R]->(m)"],
    ["MERGE (n:A) CREATE (n:A)-[:R]->(m)"],
    ["MATCH (n) MERGE (n:A)-[:R]->(m)"],
    ["MATCH (n) CREATE UNIQUE (m)-[:R]->(n {a: 1})"],
  ])("a chain that describes a known node again is refused at last: %s", async (statement) => {
    const graph = await TestGraph.open();
    const message = "Can't create `n` with properties or labels here. It already exists in this context";
    await expect(graph.run(`CYPHER 2.3 ${statement}`)).rejects.toThrow(message);
    await expect(graph.run(`CYPHER 2.3 ${statement} CREATE (nope)-[nope:R]->()`)).rejects.toThrow(
      "nope already declared",
    );
  });

  test.each([
    ["CREATE (n:A) CREATE (n:A)-[:R]->(m)", 2],
    ["CREATE (n:A)-[:R]->(n:A)", 1],
    ["CREATE (n) CREATE (n {})-[:R]->(m)", 2],
    ["CREATE (n:A)-[:R]->(m:B), (m:B)-[:S]->(n:A)", 2],
  ])("labels that CREATE has just given may be repeated: %s", async (statement, made) => {
    const graph = await TestGraph.open();
    expect((await graph.run(`CYPHER 2.3 ${statement}`)).summary.counts.nodesCreated).toBe(made);
  });

  test.each([
    ["RETURN all(x IN [] WHERE 1)", true],
    ["RETURN none(x IN [1] WHERE {a: 1})", false],
    ["RETURN size(filter(x IN [1, 2] WHERE {a: 1}))", 2],
    ["RETURN any(x IN null WHERE 1)", null],
    ["RETURN 1.e5", "100000.0"],
  ])("%s", async (statement, expected) => {
    const graph = await TestGraph.open();
    const { rows } = await graph.run(`CYPHER 2.3 ${statement}`);
    expect(rows).toEqual([[expected === "100000.0" ? 100_000 : expected]]);
  });

  test.each([
    ["RETURN 2 ^ 1024", "floating point number is too large (line 1, column 10"],
    ["RETURN 1e308 + 1e308", "floating point number is too large (line 1, column 14"],
    ["RETURN reduce(a = 0, a IN [1] | a)", "a already declared (line 1, column 15"],
    ["RETURN max(collect(1))", "Type mismatch: expected Float or Integer but was Collection<Integer>"],
    ["RETURN sum(count(*))", "Can't use aggregate functions inside of aggregate functions."],
    ["RETURN abs(x, 1)", "x not defined"],
    ["RETURN has(()-->())", "Argument to has is not a property (line 1, column 12"],
    ["MATCH (a) RETURN shortestPath((a)-[*]->(:X))", "shortestPath(...) requires named nodes (line 1, column 18"],
    ["MATCH p = shortestPath((a)-[* {k: 1}]->(b)) RETURN p", "shortestPath(...) contains properties"],
    ["RETURN *", "there are no identifiers in scope (line 1, column 1"],
    ["WITH 1 AS x RETURN x ORDER BY count(*)", "no aggregate expressions in the preceding RETURN (line 1, column 13"],
    ["WITH {a: 1} AS x RETURN x LIMIT 1 + x.a", "to identifiers in LIMIT (line 1, column 37"],
    ["RETURN 1 LIMIT y", "It is not allowed to refer to identifiers in LIMIT (line 1, column 16"],
    ["MATCH (m) START n=node(*) RETURN n", "WITH is required between MATCH and START (line 1, column 1"],
    ["CREATE (n) LOAD CSV FROM 'a' AS l RETURN 1", "between CREATE and LOAD CSV (line 1, column 35"],
    ["CREATE allShortestPaths((a)-[:R]->(b))", "allShortestPaths(...) cannot be used to CREATE"],
    ["CREATE UNIQUE shortestPath((a)-[:R]->(b))", "shortestPath(...) cannot be used to CREATE"],
    ["MERGE (a)-->(b)", "A single relationship type must be specified for CREATE"],
    ["CREATE (n) UNION CREATE (m)", "All sub queries in an UNION must have the same column names"],
    ["USING PERIODIC COMMIT LOAD CSV FROM 'a' AS l RETURN l", "Cannot use periodic commit in a non-updating query"],
  ])("is refused where 2.3 says so: %s", async (statement, message) => {
    const graph = await TestGraph.open();
    await expect(graph.run(`CYPHER 2.3\n${statement}`)).rejects.toThrow(message.replace("line 1", "line 2"));
  });

  test.each(["RETURN 1e308 * 10 * 0", "CREATE (n) UNION CREATE (n)", "RETURN 1 LIMIT size([x IN [1] | x])"])(
    "%s is taken as it is by 2.3",
    async (statement) => {
      const graph = await TestGraph.open();
      await expect(graph.run(`CYPHER 2.3 ${statement}`)).resolves.toBeDefined();
    },
  );

  test("the cost planner of 2.2 does not write", async () => {
    const graph = await TestGraph.open();
    await expect(graph.run("CYPHER 2.2 planner=cost CREATE (n)")).rejects.toMatchObject({
      code: "ClientError.Statement.InvalidArguments",
    });
    await expect(graph.run("CYPHER 2.2 planner=rule CREATE (n)")).resolves.toBeDefined();
  });

  test("a node that is null and has no relationship stays in MATCH", async () => {
    const graph = await TestGraph.open();
    const count = async (match: string): Promise<unknown> =>
      (await graph.run(`CYPHER 2.3 OPTIONAL MATCH (n:Nope) WITH n ${match} RETURN count(*) AS c`)).rows;
    expect(await count("MATCH (n)")).toEqual([[1]]);
    expect(await count("MATCH (n:Label)")).toEqual([[0]]);
    expect(await count("MATCH (n)-->()")).toEqual([[0]]);
  });

  test("nothing is known of a property of null", async () => {
    const graph = await TestGraph.open("CREATE (:A {k: 1})");
    const { rows } = await graph.run("CYPHER 2.3 OPTIONAL MATCH (n:Nope) RETURN has(n.k), exists(n.k), NOT has(n.k)");
    expect(rows).toEqual([[null, null, null]]);
    const found = await graph.run("CYPHER 2.3 OPTIONAL MATCH (n:A) RETURN has(n.k), exists(n.nope)");
    expect(found.rows).toEqual([[true, false]]);
  });

  test("a relationship without a name for its type breaks 2.3", async () => {
    const graph = await TestGraph.open();
    await expect(graph.run("CYPHER 2.3 CREATE (a)-[:``]->(b)")).rejects.toMatchObject({
      code: "DatabaseError.Statement.ExecutionFailure",
    });
    await expect(graph.run("CREATE (a)-[:``]->(b)")).rejects.toMatchObject({
      code: "ClientError.Schema.IllegalTokenName",
    });
  });

  test("a minus right before 0.0 belongs to it", async () => {
    const graph = await TestGraph.open();
    const { rows } = await graph.run("CYPHER 2.3 RETURN str(-0.0), str(- 0.0), str(-(0.0))");
    expect(rows).toEqual([["-0.0", "0.0", "0.0"]]);
  });

  test("the size of a pattern at null is null", async () => {
    const graph = await TestGraph.open();
    const { rows } = await graph.run("CYPHER 2.3 OPTIONAL MATCH (n:Nope) RETURN size((n)-->()), size((n)-[*2]->())");
    expect(rows).toEqual([[null, 0]]);
  });

  test.each(["SET n:X", "REMOVE n:X", "SET n = {x: 1}", "SET n += {x: 1}"])("null refuses %s", async (change) => {
    const graph = await TestGraph.open();
    await expect(graph.run(`CYPHER 2.3 OPTIONAL MATCH (n:Nope) ${change}`)).rejects.toThrow();
    await expect(graph.run(`CYPHER 2.3 WITH null AS n ${change}`)).rejects.toThrow();
    await expect(graph.run(`WITH null AS n ${change}`)).resolves.toBeDefined();
  });

  test.each([
    ["[1, 'a', null]", "Collections containing mixed types"],
    ["[1, null, 'a']", "Collections containing null values"],
    ["[null, 1]", "Collections containing null values"],
    ["[null]", "Property values can only be of primitive types"],
    ["[n, 1]", "Collections containing mixed types"],
    ["r", "RelationshipProxy] is not a supported property value"],
    ["p", "Collections containing mixed types"],
  ])("%s is no property", async (value, message) => {
    const graph = await TestGraph.open("CREATE (:A)-[:R]->()");
    await expect(graph.run(`CYPHER 2.3 MATCH p = (n:A)-[r]->() CREATE (m {x: ${value}})`)).rejects.toThrow(message);
  });

  test.each([
    ["RETURN any(x IN [1] WHERE 'a')", "Don't know how to treat that as a predicate: a"],
    ["RETURN [x IN [1] WHERE x + 1]", "Don't know how to treat that as a predicate: 2"],
    ["RETURN true[null]", "by performing a map lookup using a string key (found: true[null])"],
    ["RETURN percentileDisc({p}, 0.5)", "PERCENTILE_DISC({p}) can only handle numerical values, or null."],
    ["RETURN percentileDisc({p}, {p})", "PERCENTILE_DISC({p}) can only handle numerical values, or null."],
    ["UNWIND [1, 2, 3] AS x RETURN percentileDisc(x, -1)", "between 0.0 and 1.0"],
    ["UNWIND [1, 2, 3] AS x RETURN percentileCont(x, 1.5)", "between 0.0 and 1.0"],
    ["RETURN split(1, null)", "Type mismatch"],
    ["RETURN {p}[null..{p}]", "Expected text to be a java.lang.Number"],
    ["CREATE (n) SET n = {p}", "Expected n to be a map, but it was :`text`"],
    ["CREATE (n {p})", "Parameter provided for node creation is not a Map"],
    ["CREATE ()-[:R {p}]->()", "Don't know how to extract parameters from this type: java.lang.String"],
  ])("is found out when it runs: %s", async (statement, message) => {
    const graph = await TestGraph.open();
    await expect(graph.run(`CYPHER 2.3 ${statement}`, { p: "text" })).rejects.toThrow(message);
  });

  test.each(["UNWIND [1, null, 2] AS x RETURN sum(x)", "UNWIND [1, 'a'] AS x RETURN count(x)"])(
    "%s is taken",
    async (statement) => {
      const graph = await TestGraph.open();
      await expect(graph.run(`CYPHER 2.3 ${statement}`)).resolves.toBeDefined();
    },
  );

  test("CREATE UNIQUE does not choose among several", async () => {
    const graph = await TestGraph.open("CREATE (a:U)-[:R]->({k: 1}), (a)-[:R]->({k: 1})");
    const refusal = (pattern: string): object => ({
      code: "ClientError.Statement.ConstraintViolation",
      message: `The pattern ${pattern} produced multiple possible paths, and that is not allowed`,
    });
    const from = (pattern: string): Promise<unknown> => graph.run(`MATCH (a:U) CREATE UNIQUE ${pattern} RETURN a`);
    await expect(from("(a)-[:R]->(x {k: 1})")).rejects.toMatchObject(refusal("(a)-[29:`R`]->(x)"));
    await expect(from("(a)-[r:R]-(x)")).rejects.toMatchObject(refusal("(a)-[`r`:`R`]-(x)"));
    await expect(from("(x)<-[r:R]-(a)")).rejects.toMatchObject(refusal("(a)-[`r`:`R`]->(x)"));
  });

  test.each([
    ["CREATE (n {given})", "(foo,null) (of class scala.Tuple2)"],
    ["CREATE ()-[r:R {given}]->()", "[null] is not a supported property value"],
  ])("%s with a null in it", async (statement, message) => {
    const graph = await TestGraph.open();
    const given = new Map([["foo", null]]);
    await expect(graph.run(`CYPHER 2.3 ${statement}`, { given })).rejects.toThrow(message);
    await expect(graph.run("CYPHER 2.3 CREATE (n {foo: {given}.foo}) RETURN n", { given })).resolves.toBeDefined();
  });
});
