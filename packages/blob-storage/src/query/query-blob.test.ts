import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type QueryAnswer, readQueryAnswer } from "../testing/read-query-answer.ts";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;
const block = { "~blob-type": "BlockBlob" };

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
  const put = (name: string, body: string): Promise<TestAnswer> =>
    service.client.send("PUT", `/box/${name}`, { headers: block, body });
  await put("cities", "Name,Country,People\nOslo,NO,709000\nBergen,NO,291940\n\nParis,FR,2102650\nNowhere,,\n");
  await put("quoted", 'a;"one; two";3\nb;"says ""yes""";4\nc;"two\nlines";5');
  await put("people", '{"name":"Ada","age":36,"home":{"city":"London"}}\n{"name":"Alan","age":41,"tags":["x"]}\n');
  await put("broken", '{"name":"Ada"}\n{"name":\n{"name":"Alan"}\n');
});
afterAll(() => service.close());

const DELIMITED = (more = ""): string =>
  `<Format><Type>delimited</Type><DelimitedTextConfiguration>${more}</DelimitedTextConfiguration></Format>`;
const HEADERS = DELIMITED("<HasHeaders>true</HasHeaders>");
const JSON_LINES = "<Format><Type>json</Type><JsonTextConfiguration/></Format>";

function ask(blob: string, expression: string, input = HEADERS, output = DELIMITED()): Promise<TestAnswer> {
  const escaped = expression.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const body =
    `<?xml version="1.0"?><QueryRequest><QueryType>SQL</QueryType><Expression>${escaped}</Expression>` +
    `<InputSerialization>${input}</InputSerialization><OutputSerialization>${output}</OutputSerialization></QueryRequest>`;
  return service.client.send("POST", `/box/${blob}?comp=query`, { body });
}

async function query(...asked: Parameters<typeof ask>): Promise<QueryAnswer> {
  const answer = await ask(...asked);
  expect(answer).toMatchObject({ status: 200, headers: { "content-type": "avro/binary" } });
  return readQueryAnswer(answer.bytes);
}

describe("a query over delimited text", () => {
  test.each([
    ["SELECT * FROM BlobStorage", "Oslo,NO,709000\nBergen,NO,291940\nParis,FR,2102650\nNowhere,,\n"],
    ["select Name from blobstorage where Country = 'NO'", "Oslo\nBergen\n"],
    ["SELECT _1, c.Country FROM BlobStorage c WHERE c.people > 700000 LIMIT 1", "Oslo,NO\n"],
    ["SELECT Name FROM BlobStorage WHERE CAST(NULLIF(People, '') AS INT) % 10 = 0", "Oslo\nBergen\nParis\n"],
    ["SELECT Name FROM BlobStorage WHERE Name LIKE '%r%s' OR Name LIKE '_slo'", "Oslo\nParis\n"],
    ["SELECT Name FROM BlobStorage WHERE NOT Country IN ('NO', 'FR')", "Nowhere\n"],
    ["SELECT Name FROM BlobStorage WHERE People BETWEEN 1 AND 709000;", "Oslo\nBergen\n"],
    ["SELECT Name FROM BlobStorage WHERE _9 IS NULL AND Country <> ''", "Oslo\nBergen\nParis\n"],
    ["SELECT UPPER(Name) || '!', SUBSTRING(Name, 2, 2), -People / 2 FROM BlobStorage LIMIT 1", "OSLO!,sl,-354500\n"],
    [
      "SELECT COUNT(*), SUM(People), MIN(Name), MAX(CAST(NULLIF(People, '') AS INT)) - 1 FROM BlobStorage",
      "4,3103590,Bergen,2102649\n",
    ],
    ["SELECT AVG(People) FROM BlobStorage WHERE Country = 'NO'", "500470\n"],
    ["SELECT COUNT(*) FROM BlobStorage WHERE Country = 'XX'", "0\n"],
    ["SELECT Name FROM BlobStorage LIMIT 0", ""],
    ["SELECT MIN(x) FROM BlobStorage", "\n"],
    ["SELECT _1 FROM BlobStorage WHERE '\u{1f600}b' LIKE '_b' AND '\uffff' < '\u{1f600}' LIMIT 1", "Oslo\n"],
    [
      "SELECT _1 FROM BlobStorage WHERE '50%' LIKE '%!%' ESCAPE '!' AND NOT '505' LIKE '50!%' ESCAPE '!' LIMIT 1",
      "Oslo\n",
    ],
  ])("%s", async (expression, text) => {
    expect(await query("cities", expression)).toMatchObject({ text, problems: [], end: 80 });
  });

  test("takes quotes, separators and line breaks within them", async () => {
    const input = DELIMITED(
      '<ColumnSeparator>;</ColumnSeparator><FieldQuote>"</FieldQuote><RecordSeparator>\n</RecordSeparator>',
    );
    const found = await query("quoted", "SELECT _2, _1 FROM BlobStorage", input);
    expect(found.text).toBe('one; two,a\n"says ""yes""",b\n"two\nlines",c\n');
    const output = DELIMITED("<ColumnSeparator>\t</ColumnSeparator><RecordSeparator>&#10;--&#xA;</RecordSeparator>");
    expect((await query("quoted", "SELECT _1, _3 FROM BlobStorage LIMIT 2", input, output)).text).toBe(
      "a\t3\n--\nb\t4\n--\n",
    );
  });

  test("gives names in the first line, or JSON", async () => {
    const some = "SELECT Name, Country AS Land FROM BlobStorage LIMIT 1";
    expect((await query("cities", some, HEADERS, HEADERS)).text).toBe("Name,Land\nOslo,NO\n");
    expect((await query("cities", some, HEADERS, JSON_LINES)).text).toBe('{"Name":"Oslo","Land":"NO"}\n');
    const all = await query("cities", "SELECT * FROM BlobStorage LIMIT 1", DELIMITED(), JSON_LINES);
    expect(all.text).toBe('{"_1":"Name","_2":"Country","_3":"People"}\n');
  });

  test("leaves out a record that is not what it is taken for, and says so", async () => {
    const found = await query("cities", "SELECT CAST(People AS INT) FROM BlobStorage");
    expect(found.text).toBe("709000\n291940\n2102650\n");
    expect(found.problems).toEqual([{ fatal: false, name: "InvalidTypeConversion", description: '"" is no INT' }]);
  });

  test("reads blobs of many pieces, and stops where nothing more can come", async () => {
    const line = `${"x".repeat(99)},1\n`;
    await service.client.send("PUT", "/box/long", { headers: block, body: line.repeat(100_000) });
    const all = await query("long", "SELECT SUM(_2), COUNT(*) FROM BlobStorage", DELIMITED());
    expect(all).toMatchObject({ text: "100000,100000\n", end: 10_200_000 });
    expect(all.progress.length).toBeGreaterThan(2);
    expect(all.progress.at(-1)).toBe(10_200_000);
    const few = await query("long", "SELECT _2 FROM BlobStorage LIMIT 3", DELIMITED());
    expect(few.text).toBe("1\n1\n1\n");
    expect(few.progress.at(-1)).toBeLessThan(10_200_000);
  });

  test("does not gather a record without end", async () => {
    await service.client.send("PUT", "/box/endless", { headers: block, body: "x".repeat(3_000_000) });
    const { text, problems, end } = await query("endless", "SELECT * FROM BlobStorage", DELIMITED());
    expect({ text, end }).toEqual({ text: "", end: 3_000_000 });
    expect(problems).toMatchObject([{ fatal: true, name: "RecordTooLarge" }]);
  });
});

describe("a query over JSON", () => {
  test.each([
    [
      "SELECT * FROM BlobStorage[*]",
      '{"name":"Ada","age":36,"home":{"city":"London"}}\n{"name":"Alan","age":41,"tags":["x"]}\n',
    ],
    [
      "SELECT s.name, s.home.city AS city FROM BlobStorage s",
      '{"name":"Ada","city":"London"}\n{"name":"Alan","city":null}\n',
    ],
    ['SELECT "name" FROM BlobStorage WHERE age >= 40', '{"name":"Alan"}\n'],
    ["SELECT AVG(age) AS age FROM BlobStorage", '{"age":38.5}\n'],
  ])("%s", async (expression, text) => {
    expect(await query("people", expression, JSON_LINES, JSON_LINES)).toMatchObject({ text, problems: [] });
  });

  test("ends at what is no JSON, after what came before", async () => {
    const { text, problems, end } = await query("broken", "SELECT name FROM BlobStorage", JSON_LINES, JSON_LINES);
    expect({ text, end }).toEqual({ text: '{"name":"Ada"}\n', end: 40 });
    expect(problems).toEqual([{ fatal: true, name: "ParseError", description: "record 2 is no JSON object" }]);
  });
});

describe("a query that asks for too much", () => {
  const long = "x".repeat(200_000);
  const costly = [
    { fatal: false, name: "RecordTooCostly", description: expect.stringContaining("one record") as string },
  ];

  beforeAll(async () => {
    const put = (name: string, body: string): Promise<TestAnswer> =>
      service.client.send("PUT", `/box/${name}`, { headers: block, body });
    await put("one", `${long}\nshort\n`);
    await put("two", "a\nb\n");
    await put("deep", `{"name":"Ada"}\n{"name":"Alan","deep":${"[".repeat(200_000)}${"]".repeat(200_000)}}\n`);
  });

  test.each([
    ["a pattern of 5,000 characters", `SELECT 1 FROM BlobStorage WHERE _1 LIKE '%${"x".repeat(5_000)}y%'`, /^$/u],
    [
      "a long column a hundred times",
      `SELECT ${Array.from({ length: 100 }, () => "_1").join()} FROM BlobStorage`,
      /^short/u,
    ],
    ["a long column joined to itself", `SELECT _1${" || _1".repeat(500)} FROM BlobStorage`, /^short/u],
  ])("leaves out the record it is too much for: %s", async (_, expression, text) => {
    const found = await query("one", expression, DELIMITED());
    expect(found.problems).toEqual(costly);
    expect(found.text).toMatch(text);
  });

  test("leaves out a value nested too deep", async () => {
    const { text, problems } = await query("deep", "SELECT deep, name FROM BlobStorage", JSON_LINES, JSON_LINES);
    expect(text).toBe('{"deep":null,"name":"Ada"}\n');
    expect(problems).toEqual([{ fatal: false, name: "ParseError", description: "a value is nested too deep" }]);
  });

  test.each([
    ["AND", `SELECT 1 FROM BlobStorage WHERE 1=1${" AND 1=1".repeat(20_000)}`],
    ["+", `SELECT 1${"+1".repeat(60_000)} FROM BlobStorage`],
    ["||", `SELECT 'a'${"||'a'".repeat(30_000)} FROM BlobStorage`],
  ])("is refused with too many times %s", async (_, expression) => {
    const answer = await ask("two", expression, DELIMITED());
    expect(answer).toMatchObject({ status: 400, code: "InvalidXmlNodeValue" });
    expect(answer.text).toContain("no more than 1000 operators was expected");
  });

  test("but a thousand alternatives are no trouble", async () => {
    const alternatives = Array.from({ length: 1_000 }, (_, number) => `_1 = '${number}'`).join(" OR ");
    expect((await query("two", `SELECT _1 FROM BlobStorage WHERE ${alternatives} OR _1 = 'b'`, DELIMITED())).text).toBe(
      "b\n",
    );
  });
});

describe("a query is refused", () => {
  test.each([
    ["SELECT", "at character 7: a value was expected"],
    ["SELECT * FROM elsewhere", "at character 15: BLOBSTORAGE was expected"],
    ["SELECT * FROM BlobStorage WHERE", "at character 32: a value was expected"],
    ["SELECT * FROM BlobStorage LIMIT 1.5", "at character 33: a whole number was expected"],
    ["SELECT * FROM BlobStorage; SELECT 1", "at character 28: the end was expected"],
    ["SELECT ? FROM BlobStorage", "at character 8: a word, a number, a text or an operator was expected"],
    ["SELECT CAST(a AS DATE) FROM BlobStorage", "at character 18: one of INT, FLOAT, STRING, BOOL was expected"],
    ["SELECT NOW() FROM BlobStorage", expect.stringContaining("at character 8: one of LOWER,")],
    ["SELECT LOWER(a, b) FROM BlobStorage", "at character 8: LOWER with 1 to 1 parameters was expected"],
    [`SELECT ${"(".repeat(200)}1`, expect.stringContaining("something less deep was expected")],
    ["SELECT a, COUNT(*) FROM BlobStorage", "columns of single records beside an aggregate cannot be"],
    ["SELECT * FROM BlobStorage WHERE COUNT(*) > 1", "an aggregate in WHERE cannot be"],
    ["SELECT SUM(MAX(a)) FROM BlobStorage", "an aggregate within another cannot be"],
  ])("%s", async (expression, reason) => {
    const answer = await ask("cities", expression);
    expect(answer).toMatchObject({ status: 400, code: "InvalidXmlNodeValue" });
    expect(/<Reason>(.*)<\/Reason>/u.exec(answer.text)?.[1]).toEqual(reason);
  });

  test("for formats that are no text, for other blobs, and without an expression", async () => {
    const arrow = "<Format><Type>arrow</Type></Format>";
    const some = "SELECT * FROM BlobStorage";
    expect(await ask("cities", some, HEADERS, arrow)).toMatchObject({ status: 400, code: "InvalidXmlNodeValue" });
    const quotes = DELIMITED("<FieldQuote>''</FieldQuote>");
    expect(await ask("cities", some, quotes)).toMatchObject({ status: 400, code: "InvalidXmlNodeValue" });
    expect(await ask("none", some)).toMatchObject({ status: 404, code: "BlobNotFound" });
    await service.client.send("PUT", "/box/log", { headers: { "~blob-type": "AppendBlob" } });
    expect(await ask("log", some)).toMatchObject({ status: 409, code: "InvalidBlobType" });
    const body = "<QueryRequest><QueryType>SQL</QueryType></QueryRequest>";
    const answer = await service.client.send("POST", "/box/cities?comp=query", { body });
    expect(answer).toMatchObject({ status: 400, code: "MissingRequiredXmlNode" });
  });

  test("when its condition doesn't hold, or its blob is archived", async () => {
    const body =
      "<QueryRequest><QueryType>SQL</QueryType><Expression>SELECT * FROM BlobStorage</Expression></QueryRequest>";
    const send = (headers: Record<string, string> = {}): Promise<TestAnswer> =>
      service.client.send("POST", "/box/cities?comp=query", { body, headers });
    expect(await send({ "if-match": '"0x1"' })).toMatchObject({ status: 412, code: "ConditionNotMet" });
    expect(readQueryAnswer((await send()).bytes).text).toContain("Name,Country,People\n");
    await service.client.send("PUT", "/box/cities?comp=tier", { headers: { "~access-tier": "Archive" } });
    expect(await send()).toMatchObject({ status: 409, code: "BlobArchived" });
  });
});
