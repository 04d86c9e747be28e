import { type FastifyInstance, type FastifyRequest } from "fastify";
import { readLifetimes } from "../lifetimes/lifetime-definition.ts";
import { type PolicyTarget, type TokenLifetimePolicy } from "../lifetimes/token-lifetime-store.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ById, getApplication, getFound, getServicePrincipal } from "./find-entities.ts";
import { idOfReference } from "./group-routes.ts";
import { JsonInput } from "./json-input.ts";
import { entityPage, listingOf, listPage } from "./query/listing.ts";
import { tenantOf } from "./tenant-of.ts";

const COLLECTION = "/policies/tokenLifetimePolicies";

type WithPolicy = FastifyRequest<{ Params: { id: string; policyId: string } }>;

/** `/policies/tokenLifetimePolicies`, and which of them applications and their principals have. (reference §5.3) */
export function registerTokenLifetimeRoutes(app: FastifyInstance, services: IdentityServices): void {
  registerPolicies(app, services);
  registerAssignments(app, services, "/applications", async (request) => ({
    kind: "application",
    id: (await getApplication(request, services)).id,
  }));
  registerAssignments(app, services, "/servicePrincipals", async (request) => ({
    kind: "servicePrincipal",
    id: (await getServicePrincipal(request, services)).principal.id,
  }));
}

function registerPolicies(app: FastifyInstance, services: IdentityServices): void {
  const { tokenLifetimes } = services;

  app.get(COLLECTION, async (request) => {
    const tenant = await tenantOf(request, services);
    return listPage(request, services, listingOf(await tokenLifetimes.list(tenant.id), policyJson));
  });

  app.post(COLLECTION, async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = new JsonInput(request.body);
    const definition = readDefinition(input);
    if (definition === undefined) {
      throw new ManagementError("Request_BadRequest", "'definition' is missing");
    }
    const policy = await tokenLifetimes.save(tenant.id, {
      displayName: input.getText("displayName"),
      definition,
      isDefault: input.findFlag("isOrganizationDefault") ?? false,
    });
    return reply.status(201).send(policyJson(policy));
  });

  app.get(`${COLLECTION}/:id`, async (request: ById) =>
    entityPage(
      request,
      services,
      policyJson(await getPolicy(services, await tenantOf(request, services), request.params.id)),
    ),
  );

  app.patch(`${COLLECTION}/:id`, async (request: ById, reply) => {
    const tenant = await tenantOf(request, services);
    const before = await getPolicy(services, tenant, request.params.id);
    const input = new JsonInput(request.body);
    await tokenLifetimes.save(tenant.id, {
      id: before.id,
      displayName: input.findText("displayName") ?? before.displayName,
      definition: readDefinition(input) ?? before.definition,
      isDefault: input.findFlag("isOrganizationDefault") ?? before.isDefault,
    });
    return reply.status(204).send();
  });

  app.delete(`${COLLECTION}/:id`, async (request: ById, reply) => {
    const tenant = await tenantOf(request, services);
    await tokenLifetimes.delete((await getPolicy(services, tenant, request.params.id)).id);
    return reply.status(204).send();
  });
}

/** One policy for each target: another one takes its place. */
function registerAssignments(
  app: FastifyInstance,
  services: IdentityServices,
  collection: string,
  targetOf: (request: ById) => Promise<PolicyTarget>,
): void {
  const { tokenLifetimes } = services;
  const path = `${collection}/:id/tokenLifetimePolicies`;

  app.get(path, async (request: ById) => {
    const tenant = await tenantOf(request, services);
    const assigned = await tokenLifetimes.findAssigned(tenant.id, await targetOf(request));
    return listPage(request, services, listingOf(assigned === undefined ? [] : [assigned], policyJson));
  });

  app.post(`${path}/$ref`, async (request: ById, reply) => {
    const tenant = await tenantOf(request, services);
    const reference = new JsonInput(request.body).getText("@odata.id");
    const policy = await getPolicy(services, tenant, idOfReference(reference));
    await tokenLifetimes.assign(tenant.id, policy.id, await targetOf(request));
    return reply.status(204).send();
  });

  app.delete(`${path}/:policyId/$ref`, async (request: WithPolicy, reply) => {
    const tenant = await tenantOf(request, services);
    const target = await targetOf(request);
    const assigned = await tokenLifetimes.findAssigned(tenant.id, target);
    getFound(assigned?.id === request.params.policyId.toLowerCase(), "The policy is not assigned here");
    await tokenLifetimes.unassign(target);
    return reply.status(204).send();
  });
}

function policyJson({ id, displayName, definition, isDefault }: TokenLifetimePolicy): object {
  return { id, displayName, definition: [definition], isOrganizationDefault: isDefault };
}

async function getPolicy(services: IdentityServices, tenant: Tenant, id: string): Promise<TokenLifetimePolicy> {
  const all = await services.tokenLifetimes.list(tenant.id);
  return getFound(
    all.find((policy) => policy.id === id.toLowerCase()),
    `There is no token lifetime policy ${id}`,
  );
}

/** A list of one text, which is JSON again. */
function readDefinition(input: JsonInput): string | undefined {
  const definition = input.findTexts("definition");
  const [text, ...more] = definition ?? [];
  if (definition === undefined) {
    return undefined;
  }
  if (text === undefined || more.length > 0) {
    throw new ManagementError("Request_BadRequest", "'definition' must be a list of one text");
  }
  readLifetimes(text);
  return text;
}
