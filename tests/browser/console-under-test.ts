import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from "playwright-core";
import { expect } from "vitest";
import { GraphUnderTest } from "../conformance/interface/graph-under-test.ts";
import { type Complaints, launchBrowser, listenForComplaints } from "./browser.ts";

export const PASSWORD = "a password for tests";

/** The graph server with its built console, and a browser on it. */
export class ConsoleUnderTest {
  readonly server: GraphUnderTest;
  readonly #browser: Browser;
  #open: { readonly context: BrowserContext; readonly complaints: Complaints } | undefined;

  private constructor(server: GraphUnderTest, browser: Browser) {
    this.server = server;
    this.#browser = browser;
  }

  /** @param properties  settings of the server; by default the first password is `PASSWORD` and need not be changed */
  static async start(
    properties: Readonly<Record<string, string>> = { "graph.initial_password": PASSWORD },
  ): Promise<ConsoleUnderTest> {
    const server = await GraphUnderTest.start(properties);
    return new ConsoleUnderTest(server, await launchBrowser());
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.remove();
  }

  /** A page on `/browser/`, in a browser that has never been there. */
  async visit(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    this.#open = { context, complaints: listenForComplaints(context) };
    const page = await context.newPage();
    await page.goto(`${this.server.baseUrl}/browser/`);
    return page;
  }

  /** A page on the console itself, past the sign-in. */
  async visitSignedIn(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visit(options);
    await signIn(page, PASSWORD);
    await page.locator(".cm-content").waitFor();
    return page;
  }

  /** Ends the visit; the page must have had nothing to complain about. */
  async leave(): Promise<void> {
    const heard = this.#open?.complaints.all ?? [];
    await this.#open?.context.close();
    this.#open = undefined;
    expect(heard).toEqual([]);
  }
}

export async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Writes into the editor in place of what is there. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Runs a statement or a command, and waits for its frame. */
export async function run(page: Page, text: string): Promise<Locator> {
  const before = await page.locator(".frame").count();
  await write(page, text);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  const frame = page.locator(".frame").first();
  await framesBeyond(page, before);
  await frame.locator(".frame-running").waitFor({ state: "detached" });
  return frame;
}

/** Waits for one more frame than there were; as a function, since the page's policy forbids evaluating texts. */
export async function framesBeyond(page: Page, count: number): Promise<void> {
  await page.waitForFunction((before) => document.querySelectorAll(".frame").length > before, count);
}

declare const document: { querySelectorAll(selector: string): { readonly length: number } };
