import { type FastifyRequest } from "fastify";
import { ManagementError } from "../../protocol/management-error.ts";
import { type IdentityServices } from "../../services.ts";
import { matches } from "./evaluate-filter.ts";
import { type Filter } from "./filter.ts";
import { type ListQuery, type OrderBy, readListQuery, skipTokenOf } from "./list-query.ts";

/** Entities of one kind, as a list request goes through them. */
export interface Listing<Entity> {
  /** Those behind a key in the list's own order, at most `limit` of them. */
  readonly read: (limit: number, after: readonly string[] | undefined) => Promise<readonly Entity[]>;
  /** The place of an entity in that order. */
  readonly keyOf: (entity: Entity) => readonly string[];
  readonly json: (entity: Entity) => object;
  /** Whether the list is about it at all. Default: yes. */
  readonly isListed?: (entity: Entity) => boolean;
  /** Those that can meet a filter at all, when it asks for something that can be looked up. */
  readonly lookUp?: (filter: Filter) => Promise<readonly Entity[] | undefined>;
}

/** Rows read at a time: what a filter drops costs no memory. */
const BATCH = 500;
/** Sorting needs all of them at once. */
const SORT_LIMIT = 50_000;

/** What a list answers: one page of it, with the way to the next. (OData JSON format §4.5) */
export async function listPage<Entity>(
  request: FastifyRequest,
  services: IdentityServices,
  listing: Listing<Entity>,
): Promise<object> {
  const query = readListQuery(request.query);
  const rows = query.orderBy === undefined ? inOwnOrder(listing, query) : sorted(listing, query, query.orderBy);
  const page: { readonly key: readonly string[]; readonly json: object }[] = [];
  let hasMore = false;
  for await (const row of rows) {
    if (page.length === query.top) {
      hasMore = true;
      break;
    }
    page.push(row);
  }
  const { select } = query;
  if (select !== undefined) {
    const shown = page.length > 0 ? page.map((each) => each.json) : await anyOf(listing);
    refuseUnknown(select, shown);
  }
  const last = page.at(-1);
  return {
    "@odata.context": `${services.settings.publicUrl}/v1.0/$metadata#${contextOf(request)}`,
    ...(query.isCounted ? { "@odata.count": await count(listing, query.filter) } : {}),
    ...(hasMore && last !== undefined ? { "@odata.nextLink": nextLink(request, services, last.key) } : {}),
    value: page.map((each) => selected(each.json, select)),
  };
}

/** How many there are: the answer of `…/$count`. */
export async function countOf<Entity>(request: FastifyRequest, listing: Listing<Entity>): Promise<number> {
  return count(listing, readListQuery(request.query).filter);
}

/** One entity with the members that the request selects. */
export function entityPage(request: FastifyRequest, services: IdentityServices, json: object): object {
  const { select } = readListQuery(request.query);
  if (select === undefined) {
    return json;
  }
  refuseUnknown(select, [json]);
  const context = `${services.settings.publicUrl}/v1.0/$metadata#${contextOf(request)}/$entity`;
  return { "@odata.context": context, ...selected(json, select) };
}

/** A list that is in memory already. */
export function listingOf<Entity>(
  entities: readonly Entity[],
  json: (entity: Entity) => object,
): Listing<readonly [number, Entity]> {
  return {
    read: (limit, after) => {
      const start = after === undefined ? 0 : Number(after[0]) + 1;
      return Promise.resolve(
        entities.slice(start, start + limit).map((entity, index) => [start + index, entity] as const),
      );
    },
    keyOf: ([index]) => [String(index)],
    json: ([, entity]) => json(entity),
  };
}

interface Row {
  readonly key: readonly string[];
  readonly json: object;
}

async function* inOwnOrder<Entity>(
  listing: Listing<Entity>,
  { filter, after }: Pick<ListQuery, "filter" | "after">,
): AsyncGenerator<Row> {
  const found = filter === undefined ? undefined : await listing.lookUp?.(filter);
  let key = after;
  while (true) {
    const batch: readonly Entity[] = found ?? (await listing.read(BATCH, key));
    for (const entity of batch) {
      key = listing.keyOf(entity);
      if (listing.isListed?.(entity) === false) {
        continue;
      }
      const json = listing.json(entity);
      if (filter === undefined || matches(filter, json)) {
        yield { key, json };
      }
    }
    if (found !== undefined || batch.length < BATCH) {
      return;
    }
  }
}

/** By a property; those without it come first. The key is the position. */
async function* sorted<Entity>(listing: Listing<Entity>, query: ListQuery, order: OrderBy): AsyncGenerator<Row> {
  const all: Row[] = [];
  for await (const row of inOwnOrder(listing, { filter: query.filter, after: undefined })) {
    all.push(row);
    if (all.length > SORT_LIMIT) {
      throw new ManagementError("Request_UnsupportedQuery", `More than ${SORT_LIMIT} entities cannot be sorted`);
    }
  }
  if (all.length > 0 && !all.some(({ json }) => order.property in json)) {
    throw new ManagementError("Request_UnsupportedQuery", `There is no property '${order.property}' to order by`);
  }
  const textOf = ({ json }: Row): string => {
    const value = (json as Readonly<Record<string, unknown>>)[order.property];
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? String(value).toLowerCase()
      : "";
  };
  const direction = order.isDescending ? -1 : 1;
  all.sort((left, right) => {
    const [a, b] = [textOf(left), textOf(right)];
    return a < b ? -direction : a > b ? direction : 0;
  });
  const start = query.after === undefined ? 0 : Number(query.after[0]) + 1;
  for (const [index, row] of all.entries()) {
    if (index >= start) {
      yield { key: [String(index)], json: row.json };
    }
  }
}

async function count<Entity>(listing: Listing<Entity>, filter: Filter | undefined): Promise<number> {
  let rows = 0;
  for await (const row of inOwnOrder(listing, { filter, after: undefined })) {
    rows += row.json === undefined ? 0 : 1;
  }
  return rows;
}

/** One of the list, whatever a filter says of it: entities of a kind all have the same members. None when it is empty. */
async function anyOf<Entity>(listing: Listing<Entity>): Promise<readonly object[]> {
  return (await listing.read(1, undefined)).map((entity) => listing.json(entity));
}

/** @throws ManagementError for a name that none of the entities has; without entities there is nothing to be wrong about */
function refuseUnknown(select: readonly string[], entities: readonly object[]): void {
  const unknown = select.find((name) => !entities.some((json) => Object.hasOwn(json, name)));
  if (unknown !== undefined && entities.length > 0) {
    throw new ManagementError("Request_UnsupportedQuery", `There is no property '${unknown}' to select`);
  }
}

function selected(json: object, select: readonly string[] | undefined): object {
  if (select === undefined) {
    return json;
  }
  const wanted = new Set(select);
  return Object.fromEntries(Object.entries(json).filter(([name]) => wanted.has(name)));
}

/** The address behind `/v1.0/` without the query: `users`. */
function contextOf(request: FastifyRequest): string {
  return (request.url.split("?", 1)[0] ?? "").replace(/^\/v1\.0\//i, "");
}

/** The same request again, from here on; under the public address whatever name we were asked by. */
function nextLink(request: FastifyRequest, services: IdentityServices, key: readonly string[]): string {
  const url = new URL(request.url, services.settings.publicUrl);
  const next = new URL(`${services.settings.publicUrl}${url.pathname}`);
  for (const [name, value] of url.searchParams) {
    if (name.toLowerCase() !== "$skiptoken") {
      next.searchParams.append(name, value);
    }
  }
  next.searchParams.append("$skiptoken", skipTokenOf(key));
  return next.toString().replaceAll("%24", "$");
}
