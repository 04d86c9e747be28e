import { type Download, type Page } from "playwright-core";
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeInBrowser, expectAccessible } from "./browser.ts";
import { ConsoleUnderTest, run } from "./console-under-test.ts";

/*
 * The graph view: by mouse, by keys, at its promised size; what can be saved of a result, and files that are dropped.
 */

const STAR = `CREATE (c:Hub {name: 'Middle'}) WITH c UNWIND range(1, 6) AS i
  CREATE (c)-[:SPOKE {rank: i}]->(:Rim {name: 'Rim ' + toString(i)})-[:SPOKE]->(:Outer {name: 'Outer ' + toString(i)})`;

describeInBrowser("the graph view", () => {
  let console_: ConsoleUnderTest;
  beforeAll(async () => {
    console_ = await ConsoleUnderTest.start();
    const seeded = await console_.visitSignedIn();
    await run(seeded, STAR);
    await console_.leave();
  });
  afterAll(() => console_?.close());
  afterEach(() => console_.leave());

  test("expands on double click, drags and pins, hides and fits", async () => {
    const page = await console_.visitSignedIn();
    await run(page, "MATCH (c:Hub) RETURN c");
    await graphOf(page, 1, 0);
    const box = await boxOf(page);
    // One node alone lies in the middle of what the legend leaves.
    const [x, y] = [box.x + box.width / 2, box.y + (box.height + 48) / 2];
    await page.mouse.dblclick(x, y);
    await graphOf(page, 7, 6);
    await page.getByRole("group", { name: "Details" }).getByRole("heading", { name: "Middle" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByRole("button", { name: "Unpin" }).click();
    await page.getByRole("button", { name: "Hide" }).click();
    await graphOf(page, 6, 0);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y + 40, { steps: 5 });
    await page.mouse.up();
    for (const name of ["Zoom in", "Zoom out", "Fit into the view"]) {
      await page.getByRole("button", { name }).click();
    }
  });

  test("is used by keys alone, and says what it shows", async () => {
    const page = await console_.visitSignedIn();
    await run(page, "MATCH (c:Hub) RETURN c");
    const canvas = await graphOf(page, 1, 0);
    await canvas.focus();
    await page.keyboard.press("n");
    const details = page.getByRole("group", { name: "Details" });
    await details.getByRole("heading", { name: "Middle" }).waitFor();
    await page.keyboard.press("e");
    await graphOf(page, 7, 6);
    await page.getByRole("status").getByText("6 nodes added.").waitFor();
    await page.keyboard.press("n");
    await details.getByRole("heading", { name: /^Rim/ }).waitFor();
    await page.keyboard.press("h");
    await graphOf(page, 6, 5);
    await page.keyboard.press("Escape");
    expect(await details.count()).toBe(0);
  });

  test("connects what was returned, finds nodes, and shows a relationship's end", async () => {
    const page = await console_.visitSignedIn();
    await run(page, "MATCH (n) RETURN n");
    await graphOf(page, 13, 12);
    await page.getByLabel("Find in the picture").fill("outer 3");
    await page.keyboard.press("Enter");
    const details = page.getByRole("group", { name: "Details" });
    await details.getByRole("heading", { name: "Outer 3" }).waitFor();
    await details.getByRole("button", { name: /Rim 3/ }).click();
    await details.getByRole("heading", { name: "Rim 3" }).waitFor();
    await expectAccessible(page);
  });

  test("styles are changed by a label's chip and kept", async () => {
    const page = await console_.visitSignedIn();
    await run(page, "MATCH (n:Rim) RETURN n");
    await page.getByRole("group", { name: "Labels in the picture" }).getByRole("button").click();
    await page.getByRole("button", { name: "Colour #e8697d" }).click();
    await page.getByRole("button", { name: "Size 5 of 5" }).click();
    await page.getByLabel("Caption of Rim").selectOption("<id>");
    await expectAccessible(page);
    const kept = await page.evaluate<string>(`localStorage.getItem("trefoil.graph.labels")`);
    expect(JSON.parse(kept)).toMatchObject({ Rim: { color: "#e8697d", size: 46, caption: "<id>" } });
    const svg = await save(page, "SVG picture");
    expect(svg).toContain('fill="#e8697d"');
  });

  test("results are saved as CSV, JSON, PNG, SVG and a script that makes them anew", async () => {
    const page = await console_.visitSignedIn();
    await run(page, "MATCH (c:Hub)-[r]->(m:Rim) RETURN c, r, m.name AS name, 9007199254740993 AS big ORDER BY name");
    expect((await save(page, "CSV")).split("\r\n").slice(0, 2)).toEqual([
      "c,r,name,big",
      "(:Hub {name: 'Middle'}),[:SPOKE {rank: 1}],Rim 1,9007199254740993",
    ]);
    expect(await save(page, "JSON")).toContain('"big": 9007199254740993');
    const png = await readFile((await (await download(page, "PNG picture")).path()) ?? "");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(await save(page, "SVG picture")).toMatch(/^<svg [\s\S]*Middle[\s\S]*<\/svg>\s*$/);
    const script = await save(page, "Cypher script");
    await run(page, "MATCH (n) DETACH DELETE n");
    await run(page, script);
    const counted = await run(
      page,
      "MATCH (c:Hub)-[r:SPOKE]->(m) RETURN count(r) AS links, sum(r.rank) AS ranks, keys(c) AS keys",
    );
    expect(await counted.locator("tbody td").allTextContents()).toEqual(["6", "21", "['name']"]);
    await run(page, "MATCH (n) DETACH DELETE n");
    await run(page, STAR);
  });

  test("a long script runs in one frame, until it fails", async () => {
    const page = await console_.visitSignedIn();
    const lines = Array.from({ length: 40 }, (_, index) => `CREATE (:Line {n: ${index}});`);
    const done = await run(page, lines.join(" "));
    await done.getByText("40 statements · 40 nodes created").waitFor();
    const failed = await run(page, [...lines.slice(0, 20), "NONSENSE;", ...lines].join(" "));
    await failed.getByRole("alert").getByText("NONSENSE").first().waitFor();
    const counted = await run(
      page,
      "MATCH (l:Line) WITH collect(l) AS all FOREACH (l IN all | DELETE l) RETURN size(all) AS n",
    );
    expect(await counted.locator("tbody td").allTextContents()).toEqual(["60"]);
  });

  test("a dropped file is previewed, sent with a bar, and connected by a second one", async () => {
    const page = await console_.visitSignedIn();
    const people = Array.from({ length: 2500 }, (_, index) => `${index},"Name, ${index}",${index / 2},true,00${index}`);
    await dropFile(page, "people.csv", `id,full name,score,active,code\n${people.join("\n")}\n`);
    await page.getByRole("heading", { name: "people.csv" }).waitFor();
    expect(await page.getByLabel("Type of id").inputValue()).toBe("integer");
    expect(await page.getByLabel("Type of code").inputValue()).toBe("text");
    await page.getByLabel("Told apart by").selectOption("id");
    await page.getByLabel("Use active").uncheck();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Import", exact: true }).last().click();
    await page.getByText("Done: 2500 rows, 2500 nodes").waitFor();
    const first = await run(
      page,
      "MATCH (p:People {id: 3}) RETURN p.`full name` AS name, p.score AS score, p.code AS code, p.active AS active",
    );
    expect(await first.locator("tbody td").allTextContents()).toEqual(["Name, 3", "1.5", "003", "null"]);

    await dropFile(page, "knows.csv", "who,whom,since\n1,2,1990\n2,3,1991\n");
    await page.getByRole("heading", { name: "knows.csv" }).waitFor();
    await page.getByLabel("Each row becomes").selectOption("relationships");
    for (const [end, column] of [
      ["From", "who"],
      ["To", "whom"],
    ] as const) {
      await page.getByLabel(`${end}: label`).selectOption("People");
      await page.getByLabel(`${end}: property`).fill("id");
      await page.getByLabel(`${end}: column`).selectOption(column);
    }
    await page.getByRole("button", { name: "Import", exact: true }).last().click();
    await page.getByText("Done: 2 rows, 0 nodes and 2 relationships").waitFor();
    await expectAccessible(page);

    await page.getByLabel("Type", { exact: true }).fill("");
    expect(await page.getByRole("button", { name: "Import", exact: true }).last().isDisabled()).toBe(true);
    await dropFile(page, "open.cypher", "RETURN 'from a file'");
    await page.locator(".cm-content").getByText("RETURN 'from a file'").waitFor();
    await run(page, "MATCH (p:People) DETACH DELETE p");
  });

  test("stays smooth with 5,000 nodes and 20,000 relationships", async () => {
    const page = await console_.visitSignedIn();
    await run(page, "UNWIND range(0, 4999) AS i CREATE (:Many {i: i})");
    await run(page, "CREATE INDEX ON :Many(i)");
    await run(
      page,
      `UNWIND range(0, 19999) AS r WITH r % 5000 AS a, (r * 7919 + r / 5000 * 13) % 5000 AS b
       MATCH (x:Many {i: a}), (y:Many {i: b}) CREATE (x)-[:LINK]->(y)`,
    );
    await run(page, "MATCH (a:Many)-[r]->(b) RETURN a, r, b");
    await graphOf(page, 5000, 20_000);
    const gaps = await gapsWhilePanning(page);
    const median = gaps.toSorted((left, right) => left - right)[Math.floor(gaps.length / 2)] ?? Infinity;
    // Sixty pictures a second on an idle machine; the bound leaves room for a busy one without a graphics processor.
    expect(gaps.length).toBeGreaterThan(10);
    expect(median).toBeLessThan(60);
    await run(page, "MATCH (n:Many) DETACH DELETE n");
  }, 120_000);

  async function graphOf(page: Page, nodes: number, relationships: number): Promise<ReturnType<Page["getByRole"]>> {
    const canvas = page.getByRole("application", {
      name: `Graph of ${nodes} nodes and ${relationships} relationships`,
    });
    await canvas.waitFor();
    return canvas;
  }

  async function boxOf(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
    return (await page.locator(".graph-canvas").first().boundingBox())!;
  }

  /** Milliseconds between pictures while the mouse drags the ground, in the page's own time. */
  async function gapsWhilePanning(page: Page): Promise<number[]> {
    const { x, y } = await boxOf(page);
    await page.evaluate(`(() => {
      globalThis.gaps = [];
      let last;
      const tick = (now) => {
        if (last !== undefined) gaps.push(now - last);
        last = now;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    })()`);
    await page.mouse.move(x + 20, y + 300);
    await page.mouse.down();
    for (let step = 1; step <= 60; step += 1) {
      await page.mouse.move(x + 20 + step * 3, y + 300 + step, { steps: 2 });
    }
    await page.mouse.up();
    return page.evaluate<number[]>("gaps");
  }

  async function download(page: Page, item: string): Promise<Download> {
    await page.getByRole("button", { name: "Save the result" }).first().click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: item }).click(),
    ]);
    return saved;
  }

  async function save(page: Page, item: string): Promise<string> {
    return readFile((await (await download(page, item)).path()) ?? "", "utf8");
  }

  async function dropFile(page: Page, name: string, text: string): Promise<void> {
    const transfer = await page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: "text/csv" }));
        return transfer;
      })()`,
    );
    await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
    await page.getByText("Drop a CSV file to import it").waitFor();
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  }
});
