import { type FastifyInstance, type FastifyReply } from "fastify";
import { type AnswerHeaders, type Endpoint, type EndpointAnswer } from "../protocol/endpoint.ts";
import { JSON_TYPE, PUBLIC_METADATA } from "../protocol/headers.ts";
import { openToPages } from "../protocol/open-to-pages.ts";
import { type IdentityServices } from "../services.ts";
import { whenKnown } from "../store/when-known.ts";
import { resolveTenant, type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { errorCodePage } from "./error-page.ts";
import { instanceDiscovery } from "./instance-discovery.ts";
import { keySet } from "./key-set.ts";
import { openIdConfiguration } from "./openid-configuration.ts";
import { userRealm } from "./user-realm.ts";

type Render = (services: IdentityServices, choice: TenantChoice) => object;

const configuration =
  (version: TokenVersion): Render =>
  (services, choice) =>
    openIdConfiguration(services.settings.publicUrl, choice, version);

const keys =
  (version: TokenVersion): Render =>
  (services, choice) =>
    keySet(services.settings.publicUrl, choice, version, services.keys.published());

/** Documents that depend on nothing but the tenant. */
const documents: readonly { readonly path: string; readonly render: Render }[] = [
  { path: "/:tenant/.well-known/openid-configuration", render: configuration(1) },
  { path: "/:tenant/v2.0/.well-known/openid-configuration", render: configuration(2) },
  { path: "/:tenant/discovery/keys", render: keys(1) },
  { path: "/:tenant/discovery/v2.0/keys", render: keys(2) },
];

const HEADERS: AnswerHeaders = { ...PUBLIC_METADATA, "content-type": JSON_TYPE };

/** What clients and resource servers read before they trust a token. Never depends on the `Host` header. */
export function metadataEndpoints(services: IdentityServices): readonly Endpoint[] {
  return documents.map(({ path, render }) => {
    const prepared = new PreparedDocuments(services, render);
    return {
      methods: ["GET"],
      path,
      // An unknown tenant has an error word of its own here. (reference §9.1)
      errorWord: "invalid_tenant",
      answer: ({ tenantSegment }, more) => {
        more["access-control-allow-origin"] = "*";
        return whenKnown(resolveTenant(services.tenants, tenantSegment), (choice) => prepared.of(choice));
      },
    };
  });
}

/** What else is said at their addresses, and the documents that few ask for. */
export function registerMetadataRoutes(app: FastifyInstance, services: IdentityServices): void {
  for (const { path } of documents) {
    openToPages(app, path, ["GET"]);
  }
  app.get("/common/discovery/instance", (request, reply) =>
    sendPublic(reply, instanceDiscovery(services.settings.publicUrl, request.query as Record<string, unknown>)),
  );
  app.get<{ Querystring: { code?: unknown } }>("/error", (request, reply) => {
    const { status, html, headers } = errorCodePage(request.query.code, services.settings.codePrefix);
    return reply.status(status).headers(headers).send(html);
  });
  // Two generations of clients ask in two ways. (reference §9.5)
  app.get<{ Querystring: { user?: unknown } }>("/common/userrealm", async (request, reply) => {
    const { user } = request.query;
    return sendPublic(reply, await userRealm(services.tenants, typeof user === "string" ? user : ""));
  });
  app.get<{ Params: { user: string } }>("/common/userrealm/:user", async (request, reply) =>
    sendPublic(reply, await userRealm(services.tenants, request.params.user)),
  );
}

/** Each document is rendered once per tenant, and again after the signing keys changed. */
class PreparedDocuments {
  readonly #services: IdentityServices;
  readonly #render: Render;
  readonly #documents = new Map<string, EndpointAnswer>();
  #keys: unknown;

  constructor(services: IdentityServices, render: Render) {
    this.#services = services;
    this.#render = render;
  }

  of(choice: TenantChoice): EndpointAnswer {
    const keys = this.#services.keys.state();
    if (keys !== this.#keys || this.#documents.size > DOCUMENT_LIMIT) {
      this.#keys = keys;
      this.#documents.clear();
    }
    const name = choice.kind === "tenant" ? choice.tenant.id : choice.segment;
    const known = this.#documents.get(name);
    if (known !== undefined) {
      return known;
    }
    const document = { headers: HEADERS, body: Buffer.from(JSON.stringify(this.#render(this.#services, choice))) };
    this.#documents.set(name, document);
    return document;
  }
}

const DOCUMENT_LIMIT = 10_000;

function sendPublic(reply: FastifyReply, document: object): FastifyReply {
  return reply.headers(HEADERS).send(JSON.stringify(document));
}
