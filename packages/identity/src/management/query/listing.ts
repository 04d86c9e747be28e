import { type FastifyRequest } from "fastify";
import { ManagementError } from "../../protocol/management-error.ts";
import { type IdentityServices } from "../../services.ts";
import { checkFilter, matches } from "./evaluate-filter.ts";
import { type Filter } from "./filter.ts";
import { type ListQuery, type OrderBy, positionAfter, readListQuery, skipTokenOf } from "./list-query.ts";

/** Entities of one kind, as a list request goes through them. */
export interface Listing<Entity> {
  /** Those behind a key in the list's own order, at most `limit` of them. */
  readonly read: (limit: number, after: readonly string[] | undefined) => Promise<readonly Entity[]>;
  /** The place of an entity in that order. */
  readonly keyOf: (entity: Entity) => readonly string[];
  readonly json: (entity: Entity) => object;
  /** Of a list of several kinds: the members that only some of them have, as null. */
  readonly blank?: object;
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
  await checkQuery(listing, query);
  const rows = query.orderBy.length === 0 ? inOwnOrder(listing, query) : sorted(listing, query);
  const page: { readonly key: readonly string[]; readonly json: object }[] = [];
  let hasMore = false;
  for await (const row of rows) {
    if (page.length === query.top) {
      hasMore = true;
      break;
    }
    page.push(row);
  }
  const last = page.at(-1);
  return {
    "@odata.context": `${services.settings.publicUrl}/v1.0/$metadata#${contextOf(request)}`,
    ...(query.isCounted ? { "@odata.count": await count(listing, query.filter) } : {}),
    ...(hasMore && last !== undefined ? { "@odata.nextLink": nextLink(request, services, last.key) } : {}),
    value: page.map((each) => selected(each.json, query.select)),
  };
}

/** How many there are: the answer of `…/$count`. */
export async function countOf<Entity>(request: FastifyRequest, listing: Listing<Entity>): Promise<number> {
  const query = readListQuery(request.query);
  await checkQuery(listing, query);
  return count(listing, query.filter);
}

/** One entity with the members that the request selects. */
export function entityPage(request: FastifyRequest, services: IdentityServices, json: object): object {
  const { select } = readListQuery(request.query);
  if (select === undefined) {
    return json;
  }
  refuseUnknown(select, json, "select");
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
      const start = positionAfter(after);
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
      if (filter === undefined || matches(filter, { ...listing.blank, ...json })) {
        yield { key, json };
      }
    }
    if (found !== undefined || batch.length < BATCH) {
      return;
    }
  }
}

/** By properties; those without a value come first. The key is the position. */
async function* sorted<Entity>(listing: Listing<Entity>, query: ListQuery): AsyncGenerator<Row> {
  const start = positionAfter(query.after);
  const all: Row[] = [];
  for await (const row of inOwnOrder(listing, { filter: query.filter, after: undefined })) {
    all.push(row);
    if (all.length > SORT_LIMIT) {
      throw new ManagementError("Request_UnsupportedQuery", `More than ${SORT_LIMIT} entities cannot be sorted`);
    }
  }
  const orders = query.orderBy.map(orderOf);
  all.sort((left, right) => orders.reduce((found, order) => (found === 0 ? order(left, right) : found), 0));
  for (const [index, row] of all.entries()) {
    if (index >= start) {
      yield { key: [String(index)], json: row.json };
    }
  }
}

function orderOf({ property, isDescending }: OrderBy): (left: Row, right: Row) => number {
  const direction = isDescending ? -1 : 1;
  const valueOf = ({ json }: Row): string | number => {
    const value = (json as Readonly<Record<string, unknown>>)[property];
    return typeof value === "number" ? value : isPlain(value) ? String(value).toLowerCase() : "";
  };
  return (left, right) => {
    const [a, b] = [valueOf(left), valueOf(right)];
    return a < b ? -direction : a > b ? direction : 0;
  };
}

function isPlain(value: unknown): value is string | boolean {
  return typeof value === "string" || typeof value === "boolean";
}

async function count<Entity>(listing: Listing<Entity>, filter: Filter | undefined): Promise<number> {
  let rows = 0;
  for await (const row of inOwnOrder(listing, { filter, after: undefined })) {
    rows += row.json === undefined ? 0 : 1;
  }
  return rows;
}

/**
 * Judges a query by one of the list, whatever a filter says of it: entities of a kind all have the same members. Of an
 * empty list nothing can be said wrong.
 *
 * @throws ManagementError for a property that there isn't, or that has another type than the query takes it for
 */
async function checkQuery<Entity>(listing: Listing<Entity>, { filter, select, orderBy }: ListQuery): Promise<void> {
  if (filter === undefined && select === undefined && orderBy.length === 0) {
    return;
  }
  const [entity] = await listing.read(1, undefined);
  if (entity === undefined) {
    return;
  }
  const sample = { ...listing.blank, ...listing.json(entity) };
  if (filter !== undefined) {
    checkFilter(filter, sample);
  }
  refuseUnknown(select ?? [], sample, "select");
  refuseUnknown(
    orderBy.map((each) => each.property),
    sample,
    "order by",
  );
}

/** @throws ManagementError for a name that the entity doesn't have */
function refuseUnknown(names: readonly string[], json: object, what: string): void {
  const unknown = names.find((name) => !Object.hasOwn(json, name));
  if (unknown !== undefined) {
    throw new ManagementError("Request_UnsupportedQuery", `There is no property '${unknown.slice(0, 100)}' to ${what}`);
  }
}

function selected(json: object, select: readonly string[] | undefined): object {
  if (select === undefined) {
    return json;
  }
  const wanted = new Set(select);
  return Object.fromEntries(Object.entries(json).filter(([name]) => name.startsWith("@") || wanted.has(name)));
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
