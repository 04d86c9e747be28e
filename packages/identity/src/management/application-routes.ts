import { type FastifyInstance } from "fastify";
import { type Application, newApplicationDocument } from "../applications/application.ts";
import { type ApplicationChange } from "../applications/application-store.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { applicationJson } from "./application-json.ts";
import { type ById, getApplication } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { manifestOf, readManifest } from "./manifest.ts";
import { requiredValue } from "./query/evaluate-filter.ts";
import { countOf, entityPage, type Listing, listPage } from "./query/listing.ts";
import { checkManifestIdentity } from "./read-manifest-identity.ts";
import { readApplicationDocument, readGuid } from "./read-application.ts";
import { readCertificates, readSecrets } from "./read-credentials.ts";
import { tenantOf } from "./tenant-of.ts";

/** `/applications`: registrations, as entities and as manifests. */
export function registerApplicationRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { applications } = services;

  app.get("/applications", async (request) =>
    listPage(request, services, applicationListing(services, await tenantOf(request, services))),
  );

  app.get("/applications/$count", async (request, reply) => {
    const count = await countOf(request, applicationListing(services, await tenantOf(request, services)));
    return reply.type("text/plain").send(String(count));
  });

  app.post("/applications", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = new JsonInput(request.body);
    const appId = input.findText("appId");
    const created = await applications.create(tenant.id, {
      displayName: input.getText("displayName"),
      appId: appId === undefined ? undefined : readGuid(appId),
      document: readApplicationDocument(input, newApplicationDocument),
      identifierUris: input.findTexts("identifierUris") ?? [],
    });
    const credentials = readCredentialChange(services, created, input);
    const application =
      Object.keys(credentials).length === 0 ? created : await applications.update(created, credentials);
    return reply.status(201).send(applicationJson(application));
  });

  app.get("/applications/:id", async (request: ById) =>
    entityPage(request, services, applicationJson(await getApplication(request, services))),
  );

  app.patch("/applications/:id", async (request: ById, reply) => {
    const application = await getApplication(request, services);
    await applications.update(application, readChange(services, application, new JsonInput(request.body)));
    return reply.status(204).send();
  });

  app.delete("/applications/:id", async (request: ById, reply) => {
    await applications.delete((await getApplication(request, services)).id);
    return reply.status(204).send();
  });

  app.get("/applications/:id/manifest", async (request: ById) => manifestOf(await getApplication(request, services)));

  app.put("/applications/:id/manifest", async (request: ById) => {
    const application = await getApplication(request, services);
    const { members, others } = readManifest(request.body);
    checkManifestIdentity(application, request.body as object);
    const change = readChange(services, application, new JsonInput(members));
    const otherManifestMembers = { ...application.document.otherManifestMembers, ...others };
    const changed = await applications.update(application, {
      ...change,
      document: { ...change.document, otherManifestMembers },
    });
    return manifestOf(changed);
  });
}

/** Registrations by name; one is looked up when the filter names its client id. */
function applicationListing(services: IdentityServices, tenant: Tenant): Listing<Application> {
  const { applications } = services;
  const isListed = (each: Application | undefined): each is Application =>
    each !== undefined && each.tenantId === tenant.id && !each.document.isManagedIdentity;
  return {
    read: (limit, after) => applications.page(tenant.id, limit, placeOf(after)),
    keyOf: (application) => [application.displayName, application.id],
    isListed,
    json: applicationJson,
    lookUp: async (filter) => {
      const appId = requiredValue(filter, "appId");
      return appId === undefined ? undefined : [await applications.findByAppId(appId)].filter(isListed);
    },
  };
}

export function placeOf(key: readonly string[] | undefined): { name: string; id: string } | undefined {
  return key === undefined ? undefined : { name: key[0] ?? "", id: key[1] ?? "" };
}

function readChange(services: IdentityServices, application: Application, input: JsonInput): ApplicationChange {
  return {
    displayName: input.findName("displayName"),
    document: readApplicationDocument(input, application.document),
    identifierUris: input.findTexts("identifierUris"),
    ...readCredentialChange(services, application, input),
  };
}

/** Collections of credentials are replaced whole when they are there. */
function readCredentialChange(
  services: IdentityServices,
  application: Application,
  input: JsonInput,
): Pick<ApplicationChange, "certificates" | "secrets"> {
  const certificates = input.findObjects("keyCredentials");
  const secrets = input.findObjects("passwordCredentials");
  return {
    ...(certificates === undefined ? {} : { certificates: readCertificates(application, certificates) }),
    ...(secrets === undefined ? {} : { secrets: readSecrets(application, secrets, services.clock.now()) }),
  };
}
