import { type Clock } from "@trefoil/base";
import { openDatabase, type DatabaseLocation } from "@trefoil/database";
import { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { type Kysely } from "kysely";
import { ApplicationStore } from "./applications/application-store.ts";
import { AppRoleAssignmentStore } from "./assignments/app-role-assignment-store.ts";
import { PermissionGrantStore } from "./assignments/permission-grant-store.ts";
import { registerTokenRoutes } from "./grants/token-routes.ts";
import { GroupStore } from "./groups/group-store.ts";
import { PrincipalStore } from "./groups/principal-store.ts";
import { type ManagementGuard, registerManagementRoutes } from "./management/management-routes.ts";
import { registerMetadataRoutes } from "./metadata/metadata-routes.ts";
import { registerHttpProtocol } from "./protocol/http-protocol.ts";
import { type IdentityServices, type IdentitySettings } from "./services.ts";
import { KeyRing } from "./signing-keys/key-ring.ts";
import { identityMigrations } from "./store/migrations.ts";
import { type SecretBox } from "./store/secret-box.ts";
import { type IdentityTables } from "./store/tables.ts";
import { TenantStore } from "./tenants/tenant-store.ts";
import { RefreshTokenStore } from "./tokens/refresh-token-store.ts";
import { Lockout } from "./users/lockout.ts";
import { type PasswordCost, PasswordHashing } from "./users/password-hashing.ts";
import { UserStore } from "./users/user-store.ts";

export interface IdentityProviderOptions {
  readonly database: DatabaseLocation;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
  readonly passwordCost: PasswordCost;
}

/** How the routes want to be matched: old clients differ in the case of paths. (reference §1) */
export const identityRoutingOptions: FastifyServerOptions = {
  routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 400 },
};

/** The provider without its listeners: the parts, their routes, and the database they share. */
export interface IdentityProvider {
  readonly services: IdentityServices;
  /** Adds every endpoint to an application. */
  register(app: FastifyInstance, isAdministrator: ManagementGuard): void;
  /** Forgets what has expired; to be called now and then. */
  sweep(): Promise<void>;
  /** Closes the database. */
  close(): Promise<void>;
}

/** Opens the database and puts the parts together. @throws StartError when the database can't be opened */
export async function openIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { clock } = options;
  const database = await openDatabase<IdentityTables>({ ...options.database, migrations: identityMigrations, clock });
  try {
    const services = await createServices(database, options);
    return {
      services,
      register: (app, isAdministrator) => registerRoutes(app, services, isAdministrator),
      sweep: () => services.refreshTokens.sweep(),
      close: () => database.destroy(),
    };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

async function createServices(
  database: Kysely<IdentityTables>,
  options: IdentityProviderOptions,
): Promise<IdentityServices> {
  const { clock, secrets, settings } = options;
  const passwords = new PasswordHashing(options.passwordCost);
  const groups = new GroupStore(database, clock);
  return {
    settings,
    clock,
    tenants: new TenantStore(database, secrets, clock),
    applications: new ApplicationStore(database, clock),
    users: new UserStore(database, passwords, clock),
    passwords,
    lockout: new Lockout(database, clock),
    keys: await KeyRing.open(database, secrets, clock),
    refreshTokens: new RefreshTokenStore(database, clock, settings.refreshTokenSeconds),
    groups,
    principals: new PrincipalStore(database),
    appRoleAssignments: new AppRoleAssignmentStore(database, groups, clock),
    permissionGrants: new PermissionGrantStore(database, clock),
  };
}

/** Management has a scope of its own, so that its JSON bodies and errors stay apart from those of the protocol. */
function registerRoutes(app: FastifyInstance, services: IdentityServices, isAdministrator: ManagementGuard): void {
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ error: "not_found", error_description: "Nothing is served at this address." }),
  );
  registerManagementRoutes(app, services, isAdministrator);
  void app.register((scope, _options, done) => {
    registerHttpProtocol(scope, services);
    registerTokenRoutes(scope, services);
    registerMetadataRoutes(scope, services);
    done();
  });
}
