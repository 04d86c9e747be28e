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
      headers: this.#tenant === undefined ? undefined : { "x-tenant": this.#tenant },
    });
  }

  async list<Entity>(path: string): Promise<readonly Entity[]> {
    return (await this.ask<{ readonly value: readonly Entity[] }>("GET", path)).value;
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
