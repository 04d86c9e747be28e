import type { IncomingMessage } from "node:http";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { ManagementRequest } from "../management-client.ts";

/** The option that every command about something inside a tenant has. */
export interface TenantOption {
  readonly tenant?: string;
}

export function withTenantOption(command: Command): Command {
  return command.option("--tenant <tenant>", "id or domain of the tenant (default: the first)");
}

interface Page<Entity> {
  readonly value: readonly Entity[];
  readonly "@odata.nextLink"?: string;
}

/** The running identity server's management interface, for one tenant. */
export class Directory {
  readonly #context: CommandContext;
  readonly #tenant: string | undefined;

  constructor(context: CommandContext, { tenant }: TenantOption) {
    this.#context = context;
    this.#tenant = tenant;
  }

  /** @param path  below `/v1.0` */
  async ask<Answer>(method: ManagementRequest["method"], path: string, body?: unknown): Promise<Answer> {
    const client = await this.#context.management("identity");
    return client.json<Answer>({
      method,
      path: `/v1.0${path}`,
      body,
      headers: this.#headers,
    });
  }

  /** All entities of a list, page by page. */
  async list<Entity>(path: string): Promise<readonly Entity[]> {
    const all: Entity[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      const page: Page<Entity> = await this.ask<Page<Entity>>("GET", next);
      all.push(...page.value);
      next = page["@odata.nextLink"];
      if (next !== undefined) {
        // The link is under the public address; we came another way.
        const { pathname, search } = new URL(next);
        next = pathname.slice("/v1.0".length) + search;
      }
    }
    return all;
  }

  /** The answer as it comes, for what is too long to be held. */
  async open(path: string): Promise<IncomingMessage> {
    const client = await this.#context.management("identity");
    return client.send({ method: "GET", path: `/v1.0${path}`, headers: this.#headers });
  }

  /** Where the server is asked: `http://127.0.0.1:8400`. */
  async baseUrl(): Promise<string> {
    return (await this.#context.management("identity")).baseUrl;
  }

  get #headers(): Readonly<Record<string, string>> | undefined {
    return this.#tenant === undefined ? undefined : { "x-tenant": this.#tenant };
  }
}

/** A name or id as one segment of a path. */
export function segment(name: string): string {
  return encodeURIComponent(name);
}

/** Collects the values of an option that may be given several times. */
export function several(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** A text inside a filter. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
