import { type FastifyInstance, type FastifyRequest } from "fastify";
import { type FederatedCredential, TOKEN_EXCHANGE_AUDIENCE } from "../federation/federated-credential.ts";
import { isFetchable } from "../federation/outside-address.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type IdentityServices } from "../services.ts";
import { type ById, getApplication, getFound } from "./find-entities.ts";
import { JsonInput } from "./json-input.ts";
import { entityPage, listingOf, listPage } from "./query/listing.ts";

const COLLECTION = "/applications/:id/federatedIdentityCredentials";
const LENGTH_LIMIT = 600;
const DESCRIPTION_LIMIT = 600;
const NAME = /^[A-Za-z0-9][\w-]{2,119}$/;

type ByName = FastifyRequest<{ Params: { id: string; credentialId: string } }>;

/** Outside issuers whose tokens an application may present as its credential. (reference §3) */
export function registerFederatedCredentialRoutes(app: FastifyInstance, services: IdentityServices): void {
  const { federatedCredentials } = services;

  app.get(COLLECTION, async (request: ById) => {
    const application = await getApplication(request, services);
    const listing = listingOf(await federatedCredentials.of(application.id), federatedCredentialJson);
    return listPage(request, services, listing);
  });

  app.post(COLLECTION, async (request: ById, reply) => {
    const application = await getApplication(request, services);
    const input = new JsonInput(request.body);
    const added = await federatedCredentials.add(application.id, {
      name: readName(input),
      issuer: readIssuer(input.getText("issuer")),
      subject: readShort("subject", input.getText("subject")),
      audiences: readAudiences(input) ?? [TOKEN_EXCHANGE_AUDIENCE],
      description: readDescription(input) ?? "",
    });
    return reply.status(201).send(federatedCredentialJson(added));
  });

  app.get(`${COLLECTION}/:credentialId`, async (request: ByName) =>
    entityPage(request, services, federatedCredentialJson(await getCredential(request, services))),
  );

  app.patch(`${COLLECTION}/:credentialId`, async (request: ByName, reply) => {
    const before = await getCredential(request, services);
    const input = new JsonInput(request.body);
    const name = input.findText("name");
    if (name !== undefined && name !== before.name) {
      throw new ManagementError("Request_BadRequest", "'name' cannot be changed");
    }
    const issuer = input.findText("issuer");
    const subject = input.findText("subject");
    await federatedCredentials.update({
      ...before,
      issuer: issuer === undefined ? before.issuer : readIssuer(issuer),
      subject: subject === undefined ? before.subject : readShort("subject", subject),
      audiences: readAudiences(input) ?? before.audiences,
      description: readDescription(input) ?? before.description,
    });
    return reply.status(204).send();
  });

  app.delete(`${COLLECTION}/:credentialId`, async (request: ByName, reply) => {
    await federatedCredentials.remove(await getCredential(request, services));
    return reply.status(204).send();
  });
}

function federatedCredentialJson(credential: FederatedCredential): object {
  const { id, name, issuer, subject, audiences, description } = credential;
  return { id, name, issuer, subject, audiences, description };
}

/** By id or by name. */
async function getCredential(request: ByName, services: IdentityServices): Promise<FederatedCredential> {
  const application = await getApplication(request, services);
  const { credentialId } = request.params;
  const all = await services.federatedCredentials.of(application.id);
  const found = all.find((each) => each.id === credentialId.toLowerCase() || each.name === credentialId);
  return getFound(found, `The application has no federated credential '${credentialId}'`);
}

function readName(input: JsonInput): string {
  const name = input.getText("name");
  if (!NAME.test(name)) {
    throw new ManagementError("Request_BadRequest", "'name' must be 3 to 120 letters, digits, - and _");
  }
  return name;
}

/** Its discovery document is read from there, so it must be an address that may be asked. */
function readIssuer(issuer: string): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url === undefined || !isFetchable(url) || url.search !== "" || url.hash !== "") {
    throw new ManagementError(
      "Request_BadRequest",
      "'issuer' must be an https address (or http on this machine) without query and fragment",
    );
  }
  return readShort("issuer", issuer);
}

function readAudiences(input: JsonInput): readonly string[] | undefined {
  const audiences = input.findTexts("audiences");
  if (audiences?.length === 0) {
    throw new ManagementError("Request_BadRequest", "'audiences' must name at least one audience");
  }
  return audiences?.map((audience) => readShort("audiences", audience));
}

function readDescription(input: JsonInput): string | undefined {
  return input.findText("description")?.slice(0, DESCRIPTION_LIMIT);
}

function readShort(name: string, text: string): string {
  if (text === "" || text.length > LENGTH_LIMIT) {
    throw new ManagementError("Request_BadRequest", `'${name}' must have 1 to ${LENGTH_LIMIT} characters`);
  }
  return text;
}
