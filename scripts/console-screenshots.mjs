/*
 * Takes the pictures of the graph console in docs/images anew. Run it after the look of the console has changed:
 *
 *   node scripts/console-screenshots.mjs http://localhost:7474 neo4j PASSWORD
 *
 * against a server of its own, whose graph is emptied and filled with the films of the guide.
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const { chromium } = createRequire(new URL("../tests/package.json", import.meta.url))("playwright-core");
const [address, user, password] = process.argv.slice(2);
if (password === undefined) {
  throw new Error("Usage: node scripts/console-screenshots.mjs ADDRESS USER PASSWORD");
}

const SETTLED_MS = 6000;
const desktop = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1.25 };

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
await visit(desktop, fillGraph);
await picture("console-light", desktop, async (page) => {
  await page.getByRole("button", { name: "Database", exact: true }).click();
  await run(page, "MATCH (d:Person)-[r]->(f:Film) WHERE f.country IN ['Japan', 'Italy'] RETURN d, r, f");
  await page.waitForTimeout(SETTLED_MS);
  await page.getByLabel("Find in the picture").fill("Seven Samurai");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Fit into the view" }).click();
});
await picture("console-dark", { ...desktop, colorScheme: "dark" }, async (page) => {
  await run(page, "MATCH (n)-[r]->(m) RETURN n, r, m");
  await page.waitForTimeout(SETTLED_MS);
});
await picture("console-editor", desktop, async (page) => {
  await run(page, "MATCH (d:Person)-[r:DIRECTED]->(f:Film) RETURN d, r, f, f.year AS year ORDER BY year");
  await page.getByRole("tab", { name: "Table" }).first().click();
  await write(page, "MATCH (p:Person {name: 'Orson Welles'})-[r]->(f:Film)\nWHERE f.year < 1955\nRETURN f.ti");
  await page.keyboard.type("t");
  await page.getByRole("option").first().waitFor();
});
await picture(
  "console-phone",
  { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  async (page) => {
    await run(page, "MATCH (d:Person {name: 'Audrey Hepburn'})-[r]->(f:Film)<-[s]-(p) RETURN *");
    await page.waitForTimeout(SETTLED_MS);
  },
);
await browser.close();

async function visit(options, body) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${address}/browser/`);
  await page.getByLabel("User").fill(user);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".cm-content").waitFor();
  await page.waitForTimeout(800);
  await body(page);
  await context.close();
}

async function picture(name, options, body) {
  await visit(options, async (page) => {
    await body(page);
    await page.waitForTimeout(600);
    await page.screenshot({ path: fileURLToPath(new URL(`../docs/images/${name}.png`, import.meta.url)) });
  });
}

async function fillGraph(page) {
  await run(page, "MATCH (n) DETACH DELETE n");
  await run(page, ":play movies");
  await page.getByRole("button", { name: "Next" }).first().click();
  await page.getByRole("button", { name: "Run this statement" }).first().click();
  await page.getByText("139 nodes created").waitFor();
}

async function write(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

async function run(page, text) {
  await write(page, text);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await page.locator(".frame-text").getByText(text).first().waitFor();
}
