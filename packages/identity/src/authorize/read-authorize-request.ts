import { type Application, type RedirectUri } from "../applications/application.ts";
import { type TokenProfile } from "../grants/token-profile.ts";
import { type FormBody, refuseRepeated } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import * as parameters from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { findIdTokenHint } from "../sign-out/id-token-hint.ts";
import { resolveTenant, type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { issuerOf, TENANT_PLACEHOLDER } from "../tokens/issuer.ts";
import { readRequestedClaims } from "../tokens/requested-claims.ts";
import {
  type AuthorizeRequest,
  type CodeChallenge,
  type Prompt,
  type ReplyAddress,
  type ResponseMode,
  type ResponseType,
} from "./authorize-request.ts";
import { findReplyAddress } from "./find-reply-address.ts";

/** A refusal that may be told to the client, because its reply address was judged and found good. */
export class DeliverableError extends Error {
  override readonly name = "DeliverableError";
  readonly error: IdentityError;
  readonly reply: ReplyAddress;

  constructor(error: IdentityError, reply: ReplyAddress) {
    super(error.message, { cause: error });
    this.error = error;
    this.reply = reply;
  }
}

/** While one of these is in doubt nobody knows where an answer goes. */
const WHERE_TO = [parameters.CLIENT_ID, parameters.REDIRECT_URI];

/**
 * Judges a request to an authorize endpoint, in this order: tenant, client, reply address; then everything else, whose
 * refusals go to the reply address, repeated parameters among them. (rulings, Identity 6; reference §7.4; RFC 6749
 * §4.1.2.1)
 *
 * @throws IdentityError     to be shown on a page, because nobody proved where an answer may go
 * @throws DeliverableError  to be delivered to the reply address
 */
export async function readAuthorizeRequest(
  services: IdentityServices,
  profile: TokenProfile,
  tenantSegment: string,
  form: FormBody,
): Promise<AuthorizeRequest> {
  refuseRepeated(form, WHERE_TO);
  const tenantChoice = await resolveTenant(services.tenants, tenantSegment);
  const application = await getClient(services, tenantChoice, form.get(parameters.CLIENT_ID));
  const given = form.find(parameters.REDIRECT_URI);
  const address = findReplyAddress(application, given);
  const types = (form.find(parameters.RESPONSE_TYPE) ?? "").split(" ").filter((type) => type !== "");
  const reply: ReplyAddress = {
    redirectUri: address.uri,
    responseMode: responseModeForErrors(types, form.find(parameters.RESPONSE_MODE)),
    state: form.find(parameters.STATE),
    issuer: issuerOf(
      services.settings.publicUrl,
      tenantChoice.kind === "tenant" ? tenantChoice.tenant.id : TENANT_PLACEHOLDER,
      profile.version,
    ),
  };
  try {
    refuseRepeated(form);
    refuseUnsupported(form);
    const responseTypes = readResponseTypes(form, types, application);
    const scopeText = readScopeText(form, profile);
    const [namedTarget, ...furtherTargets] = profile.parseTargets(scopeText);
    const target = profile.version === 1 ? profile.readUserTarget(form, false) : namedTarget;
    return {
      ...reply,
      profile,
      tenantChoice,
      application,
      namesRedirectUri: given !== undefined,
      responseTypes,
      responseMode: readResponseMode(responseTypes, form.find(parameters.RESPONSE_MODE)),
      target,
      furtherTargets,
      scopeText,
      nonce: readNonce(form, responseTypes),
      prompts: readPrompts(form, profile),
      loginHint: form.find(parameters.LOGIN_HINT),
      hintedUserId: readIdTokenHint(services, form, application),
      hintedTenant: await findHintedTenant(services, tenantChoice, form.find(parameters.DOMAIN_HINT)),
      maxAgeSeconds: readMaxAge(form),
      requestedClaims: readRequestedClaims(form.find(parameters.CLAIMS)),
      claimsText: form.find(parameters.CLAIMS),
      codeChallenge: readCodeChallenge(form, profile, application, address, responseTypes),
      wantsClientInfo: form.find(parameters.CLIENT_INFO) === "1",
    };
  } catch (error) {
    throw error instanceof IdentityError ? new DeliverableError(error, reply) : error;
  }
}

async function getClient(services: IdentityServices, choice: TenantChoice, clientId: string): Promise<Application> {
  const application = await services.applications.findByAppId(clientId);
  const isAtHome = choice.kind === "any" || application?.servicePrincipals.has(choice.tenant.id) === true;
  if (application === undefined || !isAtHome) {
    const tenant = choice.kind === "any" ? choice.segment : choice.tenant.displayName;
    throw new IdentityError(700016, { client: clientId, tenant });
  }
  if (!application.document.isEnabled) {
    throw new IdentityError(7000112, { client: clientId });
  }
  return application;
}

/** v2.0 needs scopes and knows no `resource`; v1 passes over scopes other than those of OpenID. (reference §7.1) */
function readScopeText(form: FormBody, profile: TokenProfile): string {
  if (profile.version === 1) {
    return profile.readUserTarget(form, false).scopeText;
  }
  if (form.find(parameters.RESOURCE) !== undefined) {
    throw new IdentityError(901002);
  }
  return form.get(parameters.SCOPE);
}

/** Whoever ignored these would answer another request than the client meant. (OpenID Connect Core §3.1.2.6, §6) */
const UNSUPPORTED = {
  [parameters.REQUEST]: 9002331,
  [parameters.REQUEST_URI]: 9002332,
  [parameters.REGISTRATION]: 9002334,
} as const;

function refuseUnsupported(form: FormBody): void {
  for (const [name, number] of Object.entries(UNSUPPORTED)) {
    if (form.find(name) !== undefined) {
      throw new IdentityError(number);
    }
  }
}

/** Every combination that is served; the order of the words doesn't matter. (reference §7.2) */
const RESPONSE_TYPES: readonly (readonly ResponseType[])[] = [
  ["code"],
  ["id_token"],
  ["code", "id_token"],
  ["token"],
  ["id_token", "token"],
];

export const supportedResponseTypes: readonly string[] = RESPONSE_TYPES.map((types) => types.join(" "));
export const supportedResponseModes: readonly ResponseMode[] = ["query", "fragment", "form_post"];

function readResponseTypes(
  form: FormBody,
  types: readonly string[],
  application: Application,
): ReadonlySet<ResponseType> {
  form.get(parameters.RESPONSE_TYPE);
  const wanted = new Set(types);
  const served = RESPONSE_TYPES.find((each) => each.length === wanted.size && each.every((type) => wanted.has(type)));
  if (served === undefined) {
    throw new IdentityError(70005, { type: types.join(" ") });
  }
  if (served.includes("id_token") && !application.document.issuesIdTokensImplicitly) {
    throw new IdentityError(700054);
  }
  if (served.includes("token") && !application.document.issuesAccessTokensImplicitly) {
    throw new IdentityError(700051);
  }
  return new Set(served);
}

/** Tokens never travel in a query, where logs and the `Referer` header would keep them. */
function readResponseMode(types: ReadonlySet<ResponseType>, given: string | undefined): ResponseMode {
  const hasToken = types.has("id_token") || types.has("token");
  const mode = given ?? (hasToken ? "fragment" : "query");
  const found = supportedResponseModes.find((each) => each === mode);
  if (found === undefined || (found === "query" && hasToken)) {
    throw new IdentityError(70007, { mode });
  }
  return found;
}

/** As well as can be told: a refusal may be about the mode itself. */
function responseModeForErrors(types: readonly string[], given: string | undefined): ResponseMode {
  const fallback = types.includes("id_token") || types.includes("token") ? "fragment" : "query";
  const mode = supportedResponseModes.find((each) => each === given) ?? fallback;
  return mode === "query" ? fallback : mode;
}

/** Without it a front-channel id token could be replayed. (OpenID Connect Core §3.2.2.1) */
function readNonce(form: FormBody, types: ReadonlySet<ResponseType>): string | undefined {
  const nonce = form.find(parameters.NONCE);
  if (nonce === undefined && types.has("id_token")) {
    throw new IdentityError(90014, { name: parameters.NONCE, reason: "an id token needs it" });
  }
  return nonce;
}

const PROMPTS_OF_BOTH: readonly (readonly [string, Prompt])[] = [
  ["none", "none"],
  ["login", "login"],
  ["consent", "consent"],
  ["select_account", "select_account"],
];

/** The words of each version; those of old clients mean one of ours. (reference §7.1) */
const PROMPTS: Readonly<Record<TokenVersion, ReadonlyMap<string, Prompt>>> = {
  1: new Map([
    ...PROMPTS_OF_BOTH,
    ["attempt_none", "none"],
    ["refresh_session", "login"],
    ["admin_consent", "admin_consent"],
  ]),
  2: new Map([...PROMPTS_OF_BOTH, ["create", "create"]]),
};

function readPrompts(form: FormBody, { version }: TokenProfile): ReadonlySet<Prompt> {
  const words = (form.find(parameters.PROMPT) ?? "").split(" ").filter((word) => word !== "");
  const prompts = new Set<Prompt>();
  for (const word of words) {
    const prompt = PROMPTS[version].get(word);
    if (prompt === undefined) {
      throw new IdentityError(90023, {
        name: parameters.PROMPT,
        reason: `'${word}' is not known at this version's endpoint`,
      });
    }
    prompts.add(prompt);
  }
  if (prompts.has("none") && prompts.size > 1) {
    throw new IdentityError(90023, { name: parameters.PROMPT, reason: "'none' stands alone" });
  }
  return prompts;
}

/** An id token of ours for this client, expired or not. (OpenID Connect Core §3.1.2.1) */
function readIdTokenHint(services: IdentityServices, form: FormBody, application: Application): string | undefined {
  const text = form.find(parameters.ID_TOKEN_HINT);
  const hint = findIdTokenHint(services.keys, text);
  if (text !== undefined && hint?.clientAppId !== application.appId) {
    throw new IdentityError(90023, { name: parameters.ID_TOKEN_HINT, reason: "it is no id token of this client" });
  }
  return hint?.userId;
}

/** On `common` a domain of ours says whose users are meant; where the address says it, and for other domains, nothing. */
async function findHintedTenant(
  services: IdentityServices,
  choice: TenantChoice,
  domain: string | undefined,
): Promise<Tenant | undefined> {
  return domain === undefined || choice.kind === "tenant" ? undefined : services.tenants.find(domain);
}

function readMaxAge(form: FormBody): number | undefined {
  const text = form.find(parameters.MAX_AGE);
  if (text !== undefined && !/^\d{1,9}$/.test(text)) {
    throw new IdentityError(90023, { name: parameters.MAX_AGE, reason: "it must be a number of seconds" });
  }
  return text === undefined ? undefined : Number(text);
}

/** RFC 7636 §4.2 */
const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/** Required for single-page clients, for public clients on v2.0, and where the registration says so. (rulings, Identity 2) */
function readCodeChallenge(
  form: FormBody,
  profile: TokenProfile,
  application: Application,
  address: RedirectUri,
  types: ReadonlySet<ResponseType>,
): CodeChallenge | undefined {
  const value = form.find(parameters.CODE_CHALLENGE);
  const method = form.find(parameters.CODE_CHALLENGE_METHOD) ?? "plain";
  if (value === undefined) {
    const { isPublic, requiresPkce } = application.document;
    const isRequired = requiresPkce || address.type === "spa" || (profile.version === 2 && isPublic);
    if (types.has("code") && isRequired) {
      throw new IdentityError(9002325);
    }
    return undefined;
  }
  if (method !== "S256" && method !== "plain") {
    throw new IdentityError(501491, { reason: `the method '${method}' is not known` });
  }
  if (!CHALLENGE.test(value)) {
    throw new IdentityError(501491, { reason: "it must have 43 to 128 letters, digits, or . _ ~ -" });
  }
  return { method, value };
}
