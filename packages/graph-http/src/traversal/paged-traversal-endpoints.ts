import { type JsonValue } from "../json/json-reader.ts";
import { dataUrlOf, representationContext, type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { invalidArguments, PlainError, RestError } from "../rest/rest-error.ts";
import { OpenTraversal } from "./open-traversal.ts";
import { type PagedTraversal, type PagedTraversals } from "./paged-traversals.ts";
import { listKind, representerOf, type TraversalServices } from "./traversal-endpoints.ts";

const DEFAULT_PAGE_SIZE = 50;
const DEFAULT_LEASE_SECONDS = 60;

/** `POST …/paged/traverse/…` begins, `GET` of its location goes on, `DELETE` ends (graph-http §7). */
export function pagedTraversalRoutes(paged: PagedTraversals, services: TraversalServices): readonly RestRoute[] {
  const path = "/db/data/node/:id/paged/traverse/:returnType";
  return [
    { method: "POST", path, handle: (call) => begin(call, paged, services) },
    { method: "GET", path: `${path}/:traverser`, handle: (call) => nextPage(call, paged) },
    { method: "DELETE", path: `${path}/:traverser`, handle: (call) => end(call, paged) },
  ];
}

async function begin(call: RestCall, paged: PagedTraversals, services: TraversalServices): Promise<RestAnswer> {
  representerOf(call);
  const pageSize = numberOf(call, "pageSize") ?? DEFAULT_PAGE_SIZE;
  const leaseSeconds = numberOf(call, "leaseTime") ?? DEFAULT_LEASE_SECONDS;
  if (pageSize < 1) {
    throw invalidArguments("Page size less than 1 is not permitted");
  }
  if (leaseSeconds < 1) {
    throw invalidArguments("Lease time less than 1 second is not supported");
  }
  const traversal = await OpenTraversal.open(call, services.scripting);
  const begun = paged.begin(traversal, pageSize, leaseSeconds * 1_000);
  const { id, returnType } = call.parameters;
  const location = `${dataUrlOf(call)}/node/${id}/paged/traverse/${returnType}/${begun.id}`;
  return { ...(await pageOf(begun, call)), status: 201, location };
}

async function nextPage(call: RestCall, paged: PagedTraversals): Promise<RestAnswer> {
  representerOf(call);
  const id = call.parameters["traverser"] ?? "";
  const found = paged.find(id);
  if (found === undefined) {
    throw notFound(`The traverser with id [${id}] was not found`);
  }
  return await pageOf(found, call);
}

function end(call: RestCall, paged: PagedTraversals): RestAnswer {
  representerOf(call);
  if (!paged.end(call.parameters["traverser"] ?? "")) {
    throw new PlainError(404, "");
  }
  return { status: 200 };
}

async function pageOf(paged: PagedTraversal, call: RestCall): Promise<RestAnswer> {
  const represent = representerOf(call);
  const context = representationContext(call);
  const page = await paged.nextPage(call);
  if (page.length === 0) {
    throw notFound(`The results for paged traverser with id [${paged.id}] have been fully enumerated`);
  }
  const value = page
    .map((branch) => represent(branch, context))
    .filter((each): each is JsonValue => each !== undefined);
  return { status: 200, representation: { ...listKind(call), value } };
}

/** @throws PlainError 404 for what is no number, as the model server's path matching does (graph-measured) */
function numberOf(call: RestCall, name: string): number | undefined {
  const text = call.query.get(name);
  if (text === null || text === "") {
    return undefined;
  }
  if (!/^[+-]?\d{1,10}$/.test(text)) {
    throw new PlainError(404, "");
  }
  return Number(text);
}

function notFound(message: string): RestError {
  return new RestError(404, [{ exception: "UnknownNotFoundException", message }]);
}
