import { type Clock } from "@trefoil/base";
import { openDatabase, type DatabaseLocation } from "@trefoil/database";
import { type DirectService, type Logger } from "@trefoil/http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from "fastify";
import { type Kysely } from "kysely";
import { ApplicationStore } from "./applications/application-store.ts";
import { UsedAssertions } from "./applications/used-assertions.ts";
import { AppRoleAssignmentStore } from "./assignments/app-role-assignment-store.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { DirectoryRoleStore } from "./assignments/directory-role-store.ts";
import { PermissionGrantStore } from "./assignments/permission-grant-store.ts";
import { AuthorizationCodeStore } from "./authorize/authorization-codes.ts";
import { type IsSecure, registerAuthorizeRoutes } from "./authorize/authorize-routes.ts";
import { registerDeviceCodeRoutes } from "./device/device-code-routes.ts";
import { DeviceCodeStore } from "./device/device-code-store.ts";
import { FactorStore } from "./factors/factor-store.ts";
import { FederatedAssertions } from "./federation/federated-assertions.ts";
import { FederatedCredentialStore } from "./federation/federated-credential-store.ts";
import { fetchDocument } from "./federation/fetch-document.ts";
import { IssuerKeys } from "./federation/issuer-keys.ts";
import { registerTokenRoutes, tokenEndpoints } from "./grants/token-routes.ts";
import { GroupStore } from "./groups/group-store.ts";
import { PrincipalStore } from "./groups/principal-store.ts";
import { introspectionEndpoint } from "./introspection/introspection-endpoint.ts";
import { registerAppServiceRoutes } from "./managed-identity/app-service-routes.ts";
import { registerInstanceMetadataRoutes } from "./managed-identity/instance-metadata-routes.ts";
import { ManagedIdentityStore } from "./managed-identity/managed-identity-store.ts";
import { withoutAlternateKey } from "./management/alternate-key.ts";
import { type ManagementGuard, registerManagementRoutes } from "./management/management-routes.ts";
import { metadataEndpoints, registerMetadataRoutes } from "./metadata/metadata-routes.ts";
import { DirectEndpoints } from "./protocol/direct-endpoints.ts";
import { type Endpoint } from "./protocol/endpoint.ts";
import { registerHttpProtocol } from "./protocol/http-protocol.ts";
import { IdentityError } from "./protocol/identity-error.ts";
import { refuseOtherMethods } from "./protocol/refuse-other-methods.ts";
import { registerEndpoint } from "./protocol/register-endpoint.ts";
import { refuseUnroutable } from "./protocol/unroutable.ts";
import { type IdentityServices, type IdentitySettings } from "./services.ts";
import { LiveTokens } from "./revocation/live-tokens.ts";
import { registerRevocationRoutes } from "./revocation/revocation-routes.ts";
import { RevokedTokens } from "./revocation/revoked-tokens.ts";
import { SealedForms } from "./sign-in/sealed-form.ts";
import { SessionStore } from "./sign-in/session-store.ts";
import { BackChannelSignOut } from "./sign-out/back-channel-sign-out.ts";
import { LogoutDeliveryStore } from "./sign-out/logout-delivery-store.ts";
import { KeyRing } from "./signing-keys/key-ring.ts";
import { TokenLifetimeStore } from "./lifetimes/token-lifetime-store.ts";
import { type SealingKeyFile, SealingKeys } from "./store/sealing-keys.ts";
import { SharedChanges } from "./store/shared-changes.ts";
import { identityMigrations } from "./store/migrations.ts";
import { type SecretBox } from "./store/secret-box.ts";
import { type IdentityTables } from "./store/tables.ts";
import { TenantStore } from "./tenants/tenant-store.ts";
import { OwnAccessTokens } from "./tokens/own-access-token.ts";
import { RefreshTokenStore } from "./tokens/refresh-token-store.ts";
import { registerUserInfoRoutes, userInfoEndpoints } from "./user-info/user-info-routes.ts";
import { FamiliarPlaces } from "./users/familiar-places.ts";
import { Lockout } from "./users/lockout.ts";
import { type PasswordCost, PasswordHashing } from "./users/password-hashing.ts";
import { UserStore } from "./users/user-store.ts";

export interface IdentityProviderOptions {
  readonly database: DatabaseLocation;
  readonly secrets: SecretBox;
  /** Where {@link secrets} has its keys from; absent when somebody else keeps them. */
  readonly sealingKeyFile?: SealingKeyFile | undefined;
  readonly clock: Clock;
  readonly settings: IdentitySettings;
  readonly passwordCost: PasswordCost;
  /** How many passwords are hashed at once; undefined: as many as leave a processor to signatures. */
  readonly passwordsAtOnce?: number | undefined;
  /** Whether other processes may change the database; those at a URL are shared unless this says otherwise. */
  readonly isDatabaseShared?: boolean | undefined;
  /** Age at which the signing key is renewed; undefined: by command only. */
  readonly signingKeyMaxAgeMs?: number | undefined;
}

/** What only the composition root can tell about a request. */
export interface IdentityGuards {
  readonly isAdministrator: ManagementGuard;
  readonly isSecure: IsSecure;
}

/** The provider without its listeners: the parts, their routes, and the database they share. */
export interface IdentityProvider {
  readonly services: IdentityServices;
  readonly database: Kysely<IdentityTables>;
  /** What the application has to be made with. */
  readonly fastifyOptions: FastifyServerOptions;
  /** Adds every endpoint to an application. */
  register(app: FastifyInstance, guards: IdentityGuards): void;
  /** Those endpoints that have a way past the application. (decisions/0160) */
  direct(logger: Logger): DirectService;
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
    services.backChannel.watch();
    const endpoints = protocolEndpoints(services);
    return {
      services,
      database,
      fastifyOptions: routingOptions(services),
      register: (app, guards) => registerRoutes(app, services, endpoints, guards),
      direct: (logger) => new DirectEndpoints(services, endpoints, logger),
      sweep: async () => {
        await renewSigningKey(services, options.signingKeyMaxAgeMs);
        await services.refreshTokens.sweep();
        await services.authorizationCodes.sweep();
        await services.backChannel.endExpired();
        await services.backChannel.goOn();
        await services.deviceCodes.sweep();
        await services.revokedTokens.sweep();
        await services.usedAssertions.sweep();
        await services.places.sweep();
        await services.audit.sweep();
      },
      close: async () => {
        await services.backChannel.close();
        await services.audit.flush();
        await database.destroy();
      },
    };
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** How the routes want to be matched: old clients differ in the case of paths. (reference §1) */
function routingOptions({ settings, clock }: IdentityServices): FastifyServerOptions {
  return {
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 400 },
    rewriteUrl: (request) => withoutAlternateKey(request.url ?? "/"),
    frameworkErrors: refuseUnroutable(settings, () => clock.now()),
  };
}

async function createServices(
  database: Kysely<IdentityTables>,
  options: IdentityProviderOptions,
): Promise<IdentityServices> {
  const { clock, secrets, settings } = options;
  const changes = new SharedChanges(database, clock, options.isDatabaseShared ?? options.database.url !== undefined);
  const passwords = new PasswordHashing(options.passwordCost, options.passwordsAtOnce);
  const users = new UserStore(database, passwords, clock);
  const revokedTokens = new RevokedTokens(database, clock);
  const refreshTokens = new RefreshTokenStore(database, clock, settings.refreshTokenSeconds, revokedTokens);
  const tenants = new TenantStore(database, secrets, clock, changes);
  const applications = new ApplicationStore(database, clock, changes);
  const keys = await KeyRing.open(database, secrets, clock, changes);
  const groups = new GroupStore(database, clock, changes);
  const sessions = new SessionStore(database, users, clock);
  const audit = new AuditLog(database, clock, settings.auditRetentionDays);
  const federatedCredentials = new FederatedCredentialStore(database, clock, changes);
  const accessTokens = new OwnAccessTokens(keys, () => settings.publicUrl, clock);
  return {
    settings,
    clock,
    tenants,
    applications,
    users,
    passwords,
    lockout: new Lockout(database, clock),
    places: new FamiliarPlaces(database, clock),
    keys,
    refreshTokens,
    authorizationCodes: new AuthorizationCodeStore(database, refreshTokens, clock),
    tokenLifetimes: new TokenLifetimeStore(database, clock, changes),
    deviceCodes: new DeviceCodeStore(database, clock),
    sessions,
    backChannel: new BackChannelSignOut({
      publicUrl: () => settings.publicUrl,
      clock,
      sessions,
      deliveries: new LogoutDeliveryStore(database, clock),
      applications,
      tenants,
      keys,
      audit,
    }),
    forms: new SealedForms(secrets, clock),
    groups,
    principals: new PrincipalStore(database),
    appRoleAssignments: new AppRoleAssignmentStore(database, groups, clock, changes),
    directoryRoles: new DirectoryRoleStore(database),
    permissionGrants: new PermissionGrantStore(database, clock, changes),
    audit,
    managedIdentities: new ManagedIdentityStore(database, applications, clock, changes),
    factors: new FactorStore(database, secrets, clock),
    sealingKeys: new SealingKeys(database, secrets, options.sealingKeyFile),
    usedAssertions: new UsedAssertions(database, clock),
    federatedCredentials,
    federation: new FederatedAssertions({
      credentials: federatedCredentials,
      issuerKeys: new IssuerKeys(clock, (url) => fetchDocument(url, settings.privateFederationHosts ?? new Set())),
      ownKeys: keys,
      publicUrl: () => settings.publicUrl,
      clock,
    }),
    liveTokens: new LiveTokens({ changes, accessTokens, revokedTokens, tenants, applications, users, clock }),
    revokedTokens,
  };
}

/** Rotation by age, on record like one by command. */
async function renewSigningKey({ keys, audit }: IdentityServices, maxAgeMs: number | undefined): Promise<void> {
  const kid = maxAgeMs === undefined ? undefined : await keys.renew(maxAgeMs);
  if (kid !== undefined) {
    await audit.append({
      category: "credential",
      activity: "Rotate signing key",
      outcome: "success",
      actor: { kind: "installation" },
      target: { kind: "other", id: kid },
      details: { reason: "age" },
    });
  }
}

/** What applications ask all the time; it has a way past the framework as well. */
function protocolEndpoints(services: IdentityServices): readonly Endpoint[] {
  return [
    ...tokenEndpoints(services),
    introspectionEndpoint(services),
    ...userInfoEndpoints(services),
    ...metadataEndpoints(services),
  ];
}

/** Management has a scope of its own, so that its JSON bodies and errors stay apart from those of the protocol. */
function registerRoutes(
  app: FastifyInstance,
  services: IdentityServices,
  endpoints: readonly Endpoint[],
  guards: IdentityGuards,
): void {
  registerManagementRoutes(app, services, guards.isAdministrator);
  void app.register((scope, _options, done) => {
    registerHttpProtocol(scope, services);
    refuseOtherMethods(scope, { method: refusedMethod, address: notFound }, () => {
      for (const endpoint of endpoints) {
        registerEndpoint(scope, endpoint);
      }
      registerTokenRoutes(scope);
      registerRevocationRoutes(scope, services);
      registerUserInfoRoutes(scope);
      registerAppServiceRoutes(scope, services);
      registerInstanceMetadataRoutes(scope, services);
      registerMetadataRoutes(scope, services);
      registerDeviceCodeRoutes(scope, services);
      registerAuthorizeRoutes(scope, services, guards.isSecure);
    });
    done();
  });
}

function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.status(404).send({ error: "not_found", error_description: "Nothing is served at this address." });
}

function refusedMethod({ method }: FastifyRequest, allowed: readonly string[]): IdentityError {
  return new IdentityError(900561, { allowed: allowed.join(" and "), method });
}
