import { type FastifyInstance, type FastifyRequest } from "fastify";
import { readCertificate } from "../applications/client-certificate.ts";
import { createSecret } from "../applications/client-secret.ts";
import { type IdentityServices } from "../services.ts";
import { certificateJson, secretJson } from "./application-json.ts";
import { type ById, getApplication, getFound } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { readTerms } from "./read-credentials.ts";

/** Secrets and certificates of an application, one by one. */
export function registerCredentialRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { applications } = services;

  app.post("/applications/:id/addPassword", async (request: ById) => {
    const application = await getApplication(request, services);
    const input = new JsonInput(request.body ?? {}).findObject("passwordCredential") ?? new JsonInput({});
    const terms = readTerms(input, services.clock.now());
    const secret = createSecret();
    const id = await applications.addSecret(application.id, secret, terms);
    return secretJson({ id, hint: secret.hint, ...terms }, secret.text);
  });

  app.post("/applications/:id/removePassword", async (request: ById, reply) => {
    const application = await getApplication(request, services);
    const keyId = new JsonInput(request.body).getText("keyId");
    getFound(await applications.removeSecret(application.id, keyId), `The application has no secret ${keyId}`);
    return reply.status(204).send();
  });

  app.post("/applications/:id/keyCredentials", async (request: ById, reply) => {
    const application = await getApplication(request, services);
    const input = new JsonInput(request.body);
    const certificate = readCertificate(input.getText("key"));
    const id = await applications.addCertificate(application.id, certificate, input.findText("displayName") ?? "");
    const changed = await applications.findById(application.id);
    const added = changed?.certificates.find((each) => each.id === id);
    return reply.status(201).send(certificateJson(getFound(added, "The application was deleted meanwhile")));
  });

  app.delete(
    "/applications/:id/keyCredentials/:keyId",
    async (request: FastifyRequest<{ Params: { id: string; keyId: string } }>, reply) => {
      const application = await getApplication(request, services);
      const { keyId } = request.params;
      const isRemoved = await applications.removeCertificate(application.id, keyId);
      getFound(isRemoved, `The application has no certificate ${keyId}`);
      return reply.status(204).send();
    },
  );
}
