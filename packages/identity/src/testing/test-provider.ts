import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@trefoil/base";
import fastify, { type FastifyInstance, type LightMyRequestResponse } from "fastify";
import { type Application, type ApplicationDocument } from "../applications/application.ts";
import { secretOf } from "../applications/client-secret.ts";
import { openIdentityProvider, type IdentityProvider } from "../identity-provider.ts";
import { type IdentityServices } from "../services.ts";
import { type SecretBox } from "../store/secret-box.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

export const PUBLIC_URL = "https://localhost:8443";
export const DOMAIN = "contoso.example";
export const ADMIN_TOKEN = "test-administrator";
export const PASSWORD = "correct horse battery";

/** Seals by marking, so that a test sees whether something was sealed at all. */
export const testSecretBox: SecretBox = {
  seal: (plaintext, context) => Buffer.concat([Buffer.from(`sealed:${context}:`), plaintext]),
  open: (sealed, context) => {
    const mark = Buffer.from(`sealed:${context}:`);
    if (!Buffer.from(sealed).subarray(0, mark.length).equals(mark)) {
      throw new Error("sealed for something else");
    }
    return Buffer.from(sealed).subarray(mark.length);
  },
};

/** A provider in a temporary folder with one tenant, asked in process, with cheap password hashes. */
export class TestProvider {
  readonly clock: ManualClock;
  readonly provider: IdentityProvider;
  readonly app: FastifyInstance;
  readonly tenant: Tenant;
  readonly folder: string;
  readonly #database: TestDatabase;

  private constructor(
    clock: ManualClock,
    provider: IdentityProvider,
    app: FastifyInstance,
    tenant: Tenant,
    folder: string,
    database: TestDatabase,
  ) {
    this.clock = clock;
    this.provider = provider;
    this.app = app;
    this.tenant = tenant;
    this.folder = folder;
    this.#database = database;
  }

  static async start(options: { codePrefix?: string } = {}): Promise<TestProvider> {
    const folder = mkdtempSync(join(tmpdir(), "trefoil-identity-"));
    const clock = new ManualClock(Date.parse("2026-11-20T12:00:00Z"));
    const database = await createTestDatabase(folder, clock);
    const provider = await openIdentityProvider({
      database: database.location,
      secrets: testSecretBox,
      clock,
      settings: {
        publicUrl: PUBLIC_URL,
        origins: new Set([PUBLIC_URL, "http://localhost:8400"]),
        codePrefix: options.codePrefix ?? "STS",
        accessTokenSeconds: 3600,
        refreshTokenSeconds: 90 * 24 * 3600,
        auditRetentionDays: 30,
        metadataIdentity: "machine",
      },
      passwordCost: { memoryKib: 8, iterations: 1 },
    });
    const app = fastify({ ...provider.fastifyOptions });
    provider.register(app, {
      isAdministrator: (request) => request.headers.authorization === `Bearer ${ADMIN_TOKEN}`,
      isSecure: (request) => request.headers["x-test-plain"] === undefined,
    });
    await app.ready();
    const tenant = await provider.services.tenants.create({ displayName: "Contoso", domain: DOMAIN });
    return new TestProvider(clock, provider, app, tenant, folder, database);
  }

  get services(): IdentityServices {
    return this.provider.services;
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.provider.close();
    await this.#database.remove();
    rmSync(this.folder, { recursive: true });
  }

  createApplication(
    displayName: string,
    document: Partial<ApplicationDocument> = {},
    identifierUris: readonly string[] = [],
  ): Promise<Application> {
    return this.services.applications.create(this.tenant.id, { displayName, document, identifierUris });
  }

  /** A confidential application with the secret `secret of <name>`. */
  async createConfidential(displayName: string, document: Partial<ApplicationDocument> = {}): Promise<Application> {
    const application = await this.createApplication(displayName, document);
    await this.services.applications.addSecret(application.id, secretOf(`secret of ${displayName}`), {
      displayName: "",
      startsAtMs: this.clock.now(),
      endsAtMs: this.clock.now() + 7_200_000,
    });
    return application;
  }

  async createUser(name: string, mustChangePassword = false): Promise<string> {
    const userPrincipalName = `${name}@${DOMAIN}`;
    await this.services.users.create(this.tenant, {
      userPrincipalName,
      displayName: name,
      givenName: name,
      surname: "Example",
      mail: `${name}@mail.example`,
      password: PASSWORD,
      mustChangePassword,
    });
    return userPrincipalName;
  }

  /** Posts a form to the token endpoint of a version. */
  async token(
    version: 1 | 2,
    fields: Readonly<Record<string, string>>,
    options: { tenant?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const path = version === 1 ? "oauth2/token" : "oauth2/v2.0/token";
    return this.post(`/${options.tenant ?? this.tenant.id}/${path}`, new URLSearchParams(fields).toString(), {
      ...options.headers,
    });
  }

  async post(url: string, payload: string, headers: Record<string, string> = {}): Promise<Answer> {
    return answerOf(
      await this.app.inject({
        method: "POST",
        url,
        payload,
        headers: { "content-type": "application/x-www-form-urlencoded; charset=UTF-8", ...headers },
      }),
    );
  }

  async get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
    return answerOf(await this.app.inject({ method: "GET", url, headers }));
  }

  /** A management request as the administrator. */
  async manage(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object): Promise<Answer> {
    return answerOf(
      await this.app.inject({
        method,
        url: `/v1.0${path}`,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
        ...(body === undefined ? {} : { payload: body }),
      }),
    );
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

function answerOf(response: LightMyRequestResponse): Answer {
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === "" ? {} : (response.json() as Readonly<Record<string, unknown>>),
  };
}

/** The claims of a token, unverified. */
export function claimsOf(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
}

export function headerOf(token: unknown): Record<string, unknown> {
  return JSON.parse(Buffer.from(String(token).split(".")[0] ?? "", "base64url").toString()) as Record<string, unknown>;
}
