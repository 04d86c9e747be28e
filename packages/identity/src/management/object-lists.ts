import { type FastifyInstance } from "fastify";
import { type NamedPrincipal, type PrincipalKind } from "../groups/principal.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type ById } from "./find-entities.ts";
import { principalBlank, principalJson, principalTypes } from "./management-json.ts";
import { countOf, type Listing, listingOf, listPage } from "./query/listing.ts";

/** Users, groups and service principals of a tenant, by their ids. */
export interface ObjectIds {
  readonly tenant: Tenant;
  readonly ids: readonly string[];
}

/** A list of whatever has an object id, at an address of its own. */
export interface ObjectList {
  readonly path: string;
  readonly config?: object;
  readonly read: (request: ById) => Promise<ObjectIds>;
}

/**
 * Serves a list of directory objects, the parts of it that are of one kind (`…/microsoft.graph.user`), how many there
 * are (`…/$count`), and references to them (`…/$ref`). (OData 4.01 URL conventions §4.4, §4.8, §4.11)
 */
export function registerObjectList(
  app: FastifyInstance,
  services: IdentityServices,
  { path, config = {}, read }: ObjectList,
): void {
  const find = async (request: ById): Promise<readonly NamedPrincipal[]> => {
    const { tenant, ids } = await read(request);
    return services.principals.findAll(tenant.id, ids);
  };
  const parts: readonly [string, PrincipalKind | undefined][] = [
    ["", undefined],
    ...Object.entries(principalTypes).map(
      ([kind, type]) => [type.replace("#", "/"), kind as PrincipalKind] as [string, PrincipalKind],
    ),
  ];
  for (const [part, kind] of parts) {
    const listing = async (request: ById): Promise<Listing<readonly [number, NamedPrincipal]>> => {
      const all = await find(request);
      const ofKind = kind === undefined ? all : all.filter((each) => each.kind === kind);
      return { ...listingOf(ofKind, principalJson), blank: principalBlank };
    };
    app.get(`${path}${part}`, { config }, async (request: ById) => listPage(request, services, await listing(request)));
    app.get(`${path}${part}/$count`, { config }, async (request: ById, reply) =>
      reply.type("text/plain").send(String(await countOf(request, await listing(request)))),
    );
  }
  app.get(`${path}/$ref`, { config }, async (request: ById) => {
    const reference = ({ id }: NamedPrincipal): object => ({
      "@odata.id": `${services.settings.publicUrl}/v1.0/directoryObjects/${id}`,
    });
    return listPage(request, services, listingOf(await find(request), reference));
  });
}
