import { type Application } from "../applications/application.ts";
import { getResource } from "../applications/resource.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import {
  ASSERTION,
  JWT_TOKEN_TYPES,
  ON_BEHALF_OF,
  REQUESTED_TOKEN_TYPE,
  REQUESTED_TOKEN_USE,
} from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type OwnAccessToken } from "../tokens/own-access-token.ts";
import { newFamily } from "../tokens/refresh-token-store.ts";
import { type User } from "../users/user.ts";
import { type Grant } from "./grant.ts";
import { getNamedTenant } from "./grant-tenant.ts";
import { issueToUser } from "./issue-tokens.ts";

/**
 * `jwt-bearer`: a service that was called with a user's token asks for one to call the next service with, still in the
 * user's name. (reference §4.6)
 */
export const onBehalfOfGrant: Grant = {
  names: ["urn:ietf:params:oauth:grant-type:jwt-bearer"],
  findTenant: getNamedTenant,
  run: async (request, tenant, client) => {
    const { services, form, profile } = request;
    if (form.get(REQUESTED_TOKEN_USE) !== ON_BEHALF_OF) {
      throw new IdentityError(90014, { name: REQUESTED_TOKEN_USE, reason: `it must be ${ON_BEHALF_OF}` });
    }
    const tokenType = form.find(REQUESTED_TOKEN_TYPE);
    if (tokenType !== undefined && !JWT_TOKEN_TYPES.has(tokenType)) {
      // Whoever asks for a SAML assertion could do nothing with a JWT.
      throw new IdentityError(90014, { name: REQUESTED_TOKEN_TYPE, reason: "access tokens are JWTs" });
    }
    const assertion = form.get(ASSERTION);
    const target = profile.readUserTarget(form, true);
    if (client.authentication === "none") {
      throw new IdentityError(7000114);
    }
    const { token, user } = await judgeAssertion(services, tenant, client.application, assertion);
    const resource = await getResource(services.applications, tenant, target.resourceName);
    return issueToUser(request, tenant, client, {
      user,
      family: newFamily({
        tenantId: tenant.id,
        userId: user.id,
        appId: client.application.appId,
        methods: methodsOf(token),
        authenticatedAtMs: token.issuedAtSeconds * 1000,
        sessionId: textOf(token, "sid"),
      }),
      isNewFamily: true,
      resource,
      target,
      // Nobody can be asked, and the user never chose this client himself.
      consent: "stored",
      ipAddress: textOf(token, "ipaddr"),
    });
  },
};

async function judgeAssertion(
  services: IdentityServices,
  tenant: Tenant,
  client: Application,
  text: string,
): Promise<{ readonly token: OwnAccessToken; readonly user: User }> {
  const judged = await services.liveTokens.judge(text);
  switch (judged) {
    case "malformed":
    case "foreign":
      throw new IdentityError(50013);
    case "expired":
      throw new IdentityError(500133);
    case "not an access token":
      throw new IdentityError(240002);
    case "revoked":
    case "tenant gone":
    case "client gone or disabled":
    case "user gone or disabled":
    case "sign-in ended":
      throw new IdentityError(50173);
    default:
      break;
  }
  const { token, user } = judged;
  if (token.tenantId !== tenant.id) {
    throw new IdentityError(50013);
  }
  if (user === undefined) {
    throw new IdentityError(7000114);
  }
  if (!namesOf(client).has(token.audience.replace(/^spn:/i, "").replace(/\/$/, "").toLowerCase())) {
    throw new IdentityError(500131, { audience: token.audience });
  }
  return { token, user };
}

/** Everything a token for the client may call it. */
function namesOf(client: Application): ReadonlySet<string> {
  const uris = client.identifierUris.map((uri) => uri.replace(/\/$/, "").toLowerCase());
  return new Set([client.appId, `api://${client.appId}`, ...uris]);
}

function methodsOf(token: OwnAccessToken): readonly string[] {
  const { amr } = token.claims;
  return Array.isArray(amr) ? amr.filter((method) => typeof method === "string") : ["pwd"];
}

function textOf({ claims }: OwnAccessToken, name: string): string | undefined {
  const value = claims[name];
  return typeof value === "string" ? value : undefined;
}
