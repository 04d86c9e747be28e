import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type Application, newApplicationDocument } from "../applications/application.ts";
import { readCertificate } from "../applications/client-certificate.ts";
import { createSecret } from "../applications/client-secret.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { JsonInput, readApplicationDocument } from "./management-input.ts";
import { applicationJson, certificateJson, secretJson } from "./management-json.ts";
import { tenantOf } from "./tenant-of.ts";

/** How long a secret is good for unless told otherwise. */
const SECRET_YEARS = 2;

type ById = FastifyRequest<{ Params: { id: string } }>;

/** `/applications`: registrations with their secrets and certificates. */
export function registerApplicationRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { applications } = services;

  app.get("/applications", async (request) => {
    const tenant = await tenantOf(request, services);
    return { value: (await applications.list(tenant.id)).map(applicationJson) };
  });

  app.post("/applications", async (request, reply) => {
    const tenant = await tenantOf(request, services);
    const input = new JsonInput(request.body);
    const application = await applications.create(tenant.id, {
      displayName: input.getText("displayName"),
      document: readApplicationDocument(input, newApplicationDocument),
      identifierUris: input.findTexts("identifierUris") ?? [],
    });
    return reply.status(201).send(applicationJson(application));
  });

  app.get("/applications/:id", async (request: ById) => applicationJson(await getApplication(request, services)));

  app.patch("/applications/:id", async (request: ById, reply) => {
    const application = await getApplication(request, services);
    const input = new JsonInput(request.body);
    await applications.update(application, {
      displayName: input.findText("displayName"),
      document: readApplicationDocument(input, application.document),
      identifierUris: input.findTexts("identifierUris"),
    });
    return reply.status(204).send();
  });

  app.delete("/applications/:id", async (request: ById, reply) => {
    await applications.delete((await getApplication(request, services)).id);
    return reply.status(204).send();
  });

  app.post("/applications/:id/addPassword", async (request: ById) => {
    const application = await getApplication(request, services);
    const input = new JsonInput(request.body ?? {}).findObject("passwordCredential") ?? new JsonInput({});
    const terms = readSecretTerms(input, services.clock.now());
    const secret = createSecret();
    const id = await applications.addSecret(application.id, secret, terms);
    return secretJson({ id, hint: secret.hint, ...terms }, secret.text);
  });

  app.post("/applications/:id/removePassword", async (request: ById, reply) => {
    const application = await getApplication(request, services);
    const keyId = new JsonInput(request.body).getText("keyId");
    refuseUnless(await applications.removeSecret(application.id, keyId), `The application has no secret ${keyId}`);
    return reply.status(204).send();
  });

  app.post("/applications/:id/keyCredentials", async (request: ById, reply) => {
    const application = await getApplication(request, services);
    const input = new JsonInput(request.body);
    const certificate = readCertificate(input.getText("key"));
    const id = await applications.addCertificate(application.id, certificate, input.findText("displayName") ?? "");
    const changed = await applications.findById(application.id);
    const added = changed?.certificates.find((each) => each.id === id);
    refuseUnless(added, "The application was deleted meanwhile");
    return reply.status(201).send(certificateJson(added));
  });

  app.delete(
    "/applications/:id/keyCredentials/:keyId",
    async (request: FastifyRequest<{ Params: { id: string; keyId: string } }>, reply) => {
      const application = await getApplication(request, services);
      const { keyId } = request.params;
      const isRemoved = await applications.removeCertificate(application.id, keyId);
      refuseUnless(isRemoved, `The application has no certificate ${keyId}`);
      return reply.status(204).send();
    },
  );
}

/** By object id, client id, or name when only one application has it. */
async function getApplication(request: ById, services: IdentityServices): Promise<Application> {
  const tenant = await tenantOf(request, services);
  const { id } = request.params;
  const byId = (await services.applications.findById(id)) ?? (await services.applications.findByAppId(id));
  if (byId !== undefined && byId.tenantId === tenant.id) {
    return byId;
  }
  const named = (await services.applications.list(tenant.id)).filter((each) => each.displayName === id);
  if (named.length > 1) {
    throw new ManagementError("Request_BadRequest", `${named.length} applications are called '${id}': use the id`);
  }
  const [application] = named;
  refuseUnless(application, `There is no application '${id}' in the tenant ${tenant.displayName}`);
  return application;
}

function readSecretTerms(
  input: JsonInput,
  nowMs: number,
): { displayName: string; startsAtMs: number; endsAtMs: number } {
  const startsAtMs = input.findTimeMs("startDateTime") ?? nowMs;
  const end = new Date(startsAtMs);
  end.setUTCFullYear(end.getUTCFullYear() + SECRET_YEARS);
  const endsAtMs = input.findTimeMs("endDateTime") ?? end.getTime();
  if (endsAtMs <= startsAtMs) {
    throw new ManagementError("Request_BadRequest", "'endDateTime' must be later than 'startDateTime'");
  }
  return { displayName: input.findText("displayName") ?? "", startsAtMs, endsAtMs };
}

function refuseUnless(found: unknown, message: string): asserts found {
  if (found === undefined || found === false) {
    throw new ManagementError("Request_ResourceNotFound", message);
  }
}
