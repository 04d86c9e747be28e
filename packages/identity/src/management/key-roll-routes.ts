import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type Application } from "../applications/application.ts";
import { parseClientAssertion, verifyKeyProof } from "../applications/client-assertion.ts";
import { readCertificate } from "../applications/client-certificate.ts";
import { createSecret } from "../applications/client-secret.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { certificateJson, secretJson } from "./application-json.ts";
import { callerOf } from "./caller.ts";
import { type ById, getApplication, getFound } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { readTerms } from "./read-credentials.ts";

/** Applications renew their own keys without any other right. */
const config = { access: "self" } as const;

/**
 * `/addKey` and `/removeKey`: an application renews its keys by itself, with a proof that it holds one that is in force.
 * What others do with keys is `keyCredentials`. (reference §11)
 */
export function registerKeyRollRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { applications } = services;

  app.post("/applications/:id/addKey", { config }, async (request: ById) => {
    const application = await getOwnOrManaged(request, services);
    const input = new JsonInput(request.body);
    checkProof(services, application, input.getText("proof"));
    const credential = input.findObject("keyCredential") ?? new JsonInput({});
    const certificate = readCertificate(credential.getText("key"));
    const id = await applications.addCertificate(application.id, certificate, credential.findText("displayName") ?? "");
    const added = (await applications.findById(application.id))?.certificates.find((each) => each.id === id);
    const secret = await addSecret(services, application, input);
    return { ...certificateJson(getFound(added, "The application was deleted meanwhile")), ...secret };
  });

  app.post("/applications/:id/removeKey", { config }, async (request: ById, reply) => {
    const application = await getOwnOrManaged(request, services);
    const input = new JsonInput(request.body);
    checkProof(services, application, input.getText("proof"));
    const keyId = input.getText("keyId");
    const isRemoved = await applications.removeCertificate(application.id, keyId);
    getFound(isRemoved, `The application has no certificate ${keyId}`);
    return reply.status(204).send();
  });
}

/** A secret may be asked for at the same time. */
async function addSecret(services: IdentityServices, application: Application, input: JsonInput): Promise<object> {
  const wanted = input.findObject("passwordCredential");
  if (wanted === undefined) {
    return {};
  }
  const terms = readTerms(wanted, services.clock.now());
  const secret = createSecret();
  const id = await services.applications.addSecret(application.id, secret, terms);
  return { passwordCredential: secretJson({ id, hint: secret.hint, ...terms }, secret.text) };
}

/** The application itself, or who manages it. */
async function getOwnOrManaged(request: ById & FastifyRequest, services: IdentityServices): Promise<Application> {
  const application = await getApplication(request, services);
  const caller = callerOf(request);
  const isItself =
    caller.kind === "token" &&
    caller.token.token.kind === "application" &&
    caller.token.token.clientAppId === application.appId;
  if (!isItself && caller.kind === "token" && !caller.isAdministrator) {
    throw new ManagementError("Authorization_RequestDenied", "The application belongs to somebody else");
  }
  return application;
}

function checkProof(services: IdentityServices, application: Application, proof: string): void {
  try {
    verifyKeyProof(parseClientAssertion(proof), application, services.clock.now());
  } catch (error) {
    if (error instanceof IdentityError) {
      const reason = error.texts.at(-1) ?? "";
      throw new ManagementError("Authorization_RequestDenied", `The proof does not count: ${reason}`, { cause: error });
    }
    throw error;
  }
}
