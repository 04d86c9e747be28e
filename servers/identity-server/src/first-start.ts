import { StartError } from "@trefoil/base";
import { oneAtATime } from "@trefoil/database";
import {
  createFirstTenant,
  type FirstTenant,
  type IdentityProvider,
  type IdentityServices,
  issuerOf,
  needsFirstTenant,
  planFirstTenant,
} from "@trefoil/identity";
import { addInitialCredentials, type InitialCredentials, readInitialCredentials } from "@trefoil/installation";

/**
 * Makes the first tenant and administrator and tells their owner in `initial-credentials.json`; does nothing when there
 * already is somebody. The file is written before the database: a start that is ended between the two finds its plan
 * there and completes it, so nobody is ever made whose password was never told. Of several processes that start on one
 * database together the first makes them, and it alone tells. (design §2; rulings, Identity 14; decisions/0183)
 *
 * @throws StartError `store` when the database is empty but its first credentials were told and forgotten
 */
export async function makeFirstTenant(
  { services, database }: Pick<IdentityProvider, "services" | "database">,
  dataDirectory: string,
): Promise<void> {
  if (await needsFirstTenant(services)) {
    await oneAtATime(database, async () => {
      if (await needsFirstTenant(services)) {
        await planAndMake(services, dataDirectory);
      }
    });
  }
}

async function planAndMake(services: IdentityServices, dataDirectory: string): Promise<void> {
  const { identity: told } = await readInitialCredentials(dataDirectory);
  const plan = told === undefined ? await planFirstTenant(services) : planAsTold(told);
  await addInitialCredentials(dataDirectory, "identity", {
    issuer: services.settings.publicUrl,
    issuerV2: issuerOf(services.settings.publicUrl, plan.tenantId, 2),
    ...plan,
  });
  await createFirstTenant(services, plan);
}

/** The section as the file has it, whose secrets its owner may have removed. */
type ToldCredentials = Omit<InitialCredentials["identity"], "administrator"> & {
  readonly administrator: { readonly username: string; readonly password?: string };
};

function planAsTold({ tenantId, tenantDomain, administrator }: ToldCredentials): FirstTenant {
  const { username, password } = administrator;
  if (password === undefined) {
    throw new StartError(
      "store",
      "The identity database is empty, but its first credentials were told and forgotten: restore the database, " +
        "or remove the section `identity` from initial-credentials.json to begin anew",
    );
  }
  return { tenantId, tenantDomain, administrator: { username, password } };
}
