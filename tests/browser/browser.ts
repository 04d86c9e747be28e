import { createHash, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { describe, expect } from "vitest";

/*
 * A real browser for tests of pages, without a download of its own: Debian's Chromium, or another one named by
 * CHROMIUM. Where there is none, the tests skip and say so.
 */

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = [process.env["CHROMIUM"] ?? "", ...places].find((file) => file !== "" && existsSync(file));

/** `describe`, skipped with its reason where no Chromium is installed. */
export function describeInBrowser(name: string, body: () => void): void {
  const reason = "skipped: needs Chromium, as Debian's package `chromium` or named by the variable CHROMIUM";
  const title = executablePath === undefined ? `${name} (${reason})` : name;
  describe.skipIf(executablePath === undefined)(title, () => {
    body();
  });
}

export interface BrowserOptions {
  /** PEM files of the only certificates that are accepted although the machine doesn't know who issued them. */
  readonly certificates?: readonly string[];
}

/** Starts Chromium; whoever starts it closes it. */
export async function launchBrowser({ certificates = [] }: BrowserOptions = {}): Promise<Browser> {
  const keys = await Promise.all(certificates.map(async (file) => publicKeyHash(await readFile(file))));
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      `--ignore-certificate-errors-spki-list=${keys.join(",")}`,
      // Needed where tests run as root; the pages are our own.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ],
  });
}

function publicKeyHash(certificatePem: Buffer): string {
  const spki = new X509Certificate(certificatePem).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(spki).digest("base64");
}

/** Everything that a page must not say: script errors, failed loads, refusals of its own content policy. */
export interface Complaints {
  readonly all: readonly string[];
}

/** Listens to every page of a context. Answers with an error status are the test's own business. */
export function listenForComplaints(context: BrowserContext): Complaints {
  const all: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error" && !/the server responded with a status of 4\d\d/.test(message.text())) {
      all.push(message.text());
    }
  });
  context.on("weberror", (error) => all.push(String(error.error())));
  return { all };
}

const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeViolation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe-core finds against WCAG 2.2 A and AA and its best practices, in the light and in the dark scheme: nothing. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(await axeSource);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } };
      return (await axe.run()).violations;
    });
    const found = violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map((node) => node.html) }));
    expect(found, `${page.url()} in the ${colorScheme} scheme`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Moves the keyboard's focus, by Tab alone, onto what has this accessible name. */
export async function tabTo(page: Page, name: string | RegExp, limit = 20): Promise<void> {
  for (let step = 0; step < limit; step++) {
    const focused = page.locator("*:focus");
    if ((await focused.count()) > 0 && matches(await accessibleName(page), name)) {
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard doesn't reach ${String(name)}`);
}

function matches(text: string, name: string | RegExp): boolean {
  return typeof name === "string" ? text === name : name.test(text);
}

/** Of the focused element: by `aria-label`, label, or its own text. */
function accessibleName(page: Page): Promise<string> {
  return page.evaluate(() => {
    interface Focusable {
      readonly labels?: Iterable<{ readonly textContent: string }>;
      readonly textContent: string;
      getAttribute(name: string): string | null;
    }
    const { document } = globalThis as unknown as { document: { activeElement: Focusable | null } };
    const element = document.activeElement;
    const [label] = element?.labels ?? [];
    return (element?.getAttribute("aria-label") ?? label?.textContent ?? element?.textContent ?? "").trim();
  });
}
