import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";
import { matchesTags, parseTagFilter, TagFilterSyntaxError } from "./tag-filter.ts";

describe("expressions over tags", () => {
  const tags = { project: "alpha", "sub project": "b'c", stage: "3" };
  test.each([
    [`project='alpha'`, true],
    [`"project" = 'alpha' AND "stage" >= '2' and "stage" < '4'`, true],
    [`project = 'beta'`, false],
    [`other <= 'z'`, false],
    [`@container = 'box' AND project > 'a'`, true],
    [`@container = 'other' AND project > 'a'`, false],
    [`  stage='3'  `, true],
  ])("find: %s", (text, expected) => {
    expect(matchesTags(parseTagFilter(text, "find"), tags, "box")).toBe(expected);
  });

  test.each([
    [`project <> 'beta'`, true],
    [`project = 'x' OR stage = '3'`, true],
    [`project = 'x' OR stage = '3' AND project = 'y'`, false],
    [`(project = 'alpha' OR stage = '9') AND stage = '3'`, true],
    [`other <> 'x'`, false],
  ])("condition: %s", (text, expected) => {
    expect(matchesTags(parseTagFilter(text, "condition"), tags, "box")).toBe(expected);
  });

  test.each([
    ["nothing", ""],
    ["OR in a search", "a='1' OR a='2'"],
    ["<> in a search", "a<>'1'"],
    ["parentheses in a search", "(a='1')"],
    ["an order of containers", "@container > 'a'"],
    ["a value without quotes", "a=1"],
    ["an open quote", "a='1"],
    ["a name of 129 characters", `"${"a".repeat(129)}"='1'`],
    ["a value of 257 characters", `a='${"a".repeat(257)}'`],
    ["characters that no tag has", "a='#'"],
    ["more than ten comparisons", Array.from({ length: 11 }, (_, index) => `a${index}='1'`).join(" AND ")],
    ["a missing AND", "a='1' b='2'"],
    ["a dangling AND", "a='1' AND"],
  ])("refuses %s", (_what, text) => {
    expect(() => parseTagFilter(text, "find")).toThrow(TagFilterSyntaxError);
  });

  test("any text is parsed or refused as text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a='\"<>()@ ANDOR1".split("")), maxLength: 40 }), (text) => {
        const outcome = attempt(() => parseTagFilter(text, "condition"));
        expect(outcome instanceof TagFilterSyntaxError || typeof outcome === "object").toBe(true);
        expect(outcome).not.toBeInstanceOf(TypeError);
      }),
    );
  });
});

describe("find blobs by tags", () => {
  let service: TestService;
  const find = (where: string, more = "", at = "/?comp=blobs"): Promise<TestAnswer> =>
    service.client.send("GET", `${at}&where=${encodeURIComponent(where)}${more}`);
  const names = (answer: TestAnswer): string[] =>
    [...answer.text.matchAll(/<Name>([^<]*)<\/Name><ContainerName>([^<]*)</gu)].map(
      ([, name, box]) => `${box}/${name}`,
    );

  beforeAll(async () => {
    service = await startTestService();
    for (const box of ["box", "other"]) {
      await service.client.send("PUT", `/${box}?restype=container`);
      for (let index = 0; index < 5; index += 1) {
        const tags = `stage=${index}&all=yes${index === 4 ? "&a+b=c" : ""}`;
        const headers = { "~blob-type": "BlockBlob", "~tags": tags };
        await service.client.send("PUT", `/${box}/${index}`, { body: "x", headers });
      }
      await service.client.send("PUT", `/${box}/untagged`, { body: "x", headers: { "~blob-type": "BlockBlob" } });
    }
  });
  afterAll(() => service.close());

  test("over all containers, with only the tags that were asked for", async () => {
    const answer = await find(`"stage" = '2'`);
    expect(answer.status).toBe(200);
    expect(names(answer)).toEqual(["box/2", "other/2"]);
    expect(answer.text).toContain("<Where>&quot;stage&quot; = '2'</Where>");
    expect(answer.text).toContain("<Tags><TagSet><Tag><Key>stage</Key><Value>2</Value></Tag></TagSet></Tags>");
    expect(answer.text).not.toContain("<Key>all</Key>");
  });

  test("in one container, named either way", async () => {
    expect(names(await find("@container='other' AND stage>'2'"))).toEqual(["other/3", "other/4"]);
    expect(names(await find("stage>'2'", "", "/box?restype=container&comp=blobs"))).toEqual(["box/3", "box/4"]);
    const missing = await find("stage>'2'", "", "/none?restype=container&comp=blobs");
    expect(missing).toMatchObject({ status: 404, code: "ContainerNotFound" });
  });

  test("page by page", async () => {
    const seen: string[] = [];
    let marker = "";
    for (let page = 0; page < 10; page += 1) {
      const answer = await find("all='yes'", `&maxresults=3${marker === "" ? "" : `&marker=${marker}`}`);
      seen.push(...names(answer));
      marker = /<NextMarker>([^<]+)</u.exec(answer.text)?.[1] ?? "";
      if (marker === "") {
        break;
      }
    }
    expect(seen).toEqual(["box", "other"].flatMap((box) => [0, 1, 2, 3, 4].map((index) => `${box}/${index}`)));
  });

  test("changes of tags are found at once, and deleted blobs no more", async () => {
    const body = "<Tags><TagSet><Tag><Key>new</Key><Value>1</Value></Tag></TagSet></Tags>";
    await service.client.send("PUT", "/box/untagged?comp=tags", { body });
    expect(names(await find("new='1'"))).toEqual(["box/untagged"]);
    await service.client.send("DELETE", "/box/untagged");
    expect(names(await find("new='1'"))).toEqual([]);
  });

  test("a plus in the query is a space", async () => {
    const answer = await service.client.send("GET", "/?comp=blobs&where=%22a+b%22='c'");
    expect(names(answer)).toEqual(["box/4", "other/4"]);
  });

  test.each(["", "a<>'b'", "a='b' OR c='d'"])("an expression that is none: %s", async (where) => {
    expect(await find(where)).toMatchObject({ status: 400, code: "InvalidQueryParameterValue" });
  });
});

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
