/** Words that begin a clause or a command. */
export const CLAUSE_WORDS: readonly string[] = [
  "MATCH",
  "OPTIONAL MATCH",
  "WITH",
  "UNWIND",
  "RETURN",
  "CREATE",
  "MERGE",
  "SET",
  "REMOVE",
  "DELETE",
  "DETACH DELETE",
  "FOREACH",
  "CALL",
  "LOAD CSV",
  "START",
  "USE",
  "FINISH",
];

/** Further words with a meaning of their own somewhere. */
const OTHER_KEYWORDS =
  "ALL AND ANY AS ASC ASCENDING ASSERT BY CASE CONSTRAINT CONTAINS CSV CYPHER DESC DESCENDING DETACH DISTINCT DROP ELSE " +
  "END ENDS EXISTS EXPLAIN FALSE FIELDTERMINATOR FOR FROM HEADERS IF IN INDEX INDEXES INSERT IS JOIN LIMIT NODETACH NONE " +
  "NOT NULL OFFSET ON OPTIONAL OPTIONS OR ORDER PERIODIC COMMIT PLANNER PROFILE REQUIRE ROWS SCAN SHOW SINGLE SKIP STARTS " +
  "TERMINATE THEN TRANSACTIONS TRUE TYPED UNION UNIQUE USING WHEN WHERE XOR YIELD";

export const KEYWORDS: ReadonlySet<string> = new Set(
  [...CLAUSE_WORDS, OTHER_KEYWORDS].flatMap((words) => words.split(" ")),
);

/** What the parser's summary expectations stand for, word by word. */
export const EXPANSIONS: Readonly<Record<string, readonly string[]>> = {
  "a statement": [],
  "a clause": CLAUSE_WORDS,
  "an updating clause": ["CREATE", "MERGE", "SET", "REMOVE", "DELETE", "DETACH DELETE", "FOREACH"],
  "an operator": "AND,OR,XOR,=,<>,<,<=,>,>=,+,-,*,/,%,^,=~,IN,STARTS WITH,ENDS WITH,CONTAINS,IS NULL,IS NOT NULL".split(
    ",",
  ),
  "an expression": ["an expression", "NOT", "CASE", "null", "true", "false"],
};
