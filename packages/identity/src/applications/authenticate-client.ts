import { type FormBody, decodeFormValue } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import * as parameters from "../protocol/parameters.ts";
import { whenKnown } from "../store/when-known.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type FederatedAssertions } from "../federation/federated-assertions.ts";
import { type Application } from "./application.ts";
import { type ApplicationStore } from "./application-store.ts";
import {
  type AudienceJudge,
  claimedClient,
  FAILED_CREDENTIAL,
  type ClientAssertion,
  parseClientAssertion,
  verifyClientAssertion,
} from "./client-assertion.ts";
import { judgeSecret } from "./client-secret.ts";
import { type UsedAssertions } from "./used-assertions.ts";

/** How a client proved who it is: the `appidacr`/`azpacr` claim. (reference §6.3) */
export const clientAuthentication = { none: "0", secret: "1", certificate: "2" } as const;
export type ClientAuthentication = keyof typeof clientAuthentication;

/** What a token request says about the client that sent it, at most one credential. */
export interface ClientEvidence {
  readonly clientId: string;
  /** Whether nothing but the assertion names the client. */
  readonly isClaimed: boolean;
  readonly credential: ClientCredential;
  /** A refusal of HTTP Basic is answered with a challenge of the same scheme. (RFC 6749 §5.2) */
  readonly usedBasic: boolean;
}

export type ClientCredential =
  | { readonly kind: "none" }
  | { readonly kind: "secret"; readonly secret: string }
  | { readonly kind: "certificate"; readonly assertion: ClientAssertion };

/**
 * Reads who the client says it is, from the body or the `Authorization` header.
 *
 * @throws IdentityError for a missing client id, for two ways of authenticating at once (RFC 6749 §2.3), and for parts
 *         of a certificate assertion that are missing or malformed
 */
export function readClientEvidence(form: FormBody, authorization: string | undefined): ClientEvidence {
  const basic = readBasic(authorization);
  const assertionText = readAssertionText(form);
  const bodySecret = form.find(parameters.CLIENT_SECRET);
  const ways = [basic?.secret, bodySecret, assertionText].filter((way) => way !== undefined);
  if (ways.length > 1) {
    throw new IdentityError(9002313, { reason: "a client authenticates in one way only" });
  }
  if (assertionText !== undefined) {
    const assertion = parseClientAssertion(assertionText);
    const named = form.find(parameters.CLIENT_ID);
    return {
      clientId: named ?? claimedClient(assertion) ?? form.get(parameters.CLIENT_ID),
      isClaimed: named === undefined,
      credential: { kind: "certificate", assertion },
      usedBasic: false,
    };
  }
  const bodyClientId = form.find(parameters.CLIENT_ID);
  if (basic !== undefined && bodyClientId !== undefined && !isSameId(basic.clientId, bodyClientId)) {
    throw new IdentityError(9002313, { reason: "the client ids of body and Authorization header differ" });
  }
  const secret = basic?.secret ?? bodySecret;
  return {
    clientId: basic?.clientId ?? form.get(parameters.CLIENT_ID),
    isClaimed: false,
    credential: secret === undefined ? { kind: "none" } : { kind: "secret", secret },
    usedBasic: basic !== undefined,
  };
}

/** Who the client says it is, as far as that can be read: for the record of a refusal. */
export function findNamedClient(form: FormBody, authorization: string | undefined): string | undefined {
  try {
    return readClientEvidence(form, authorization).clientId;
  } catch {
    return form.find(parameters.CLIENT_ID);
  }
}

/** Client ids are found in any case. */
function isSameId(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** A client that was let in. */
export interface AuthenticatedClient {
  readonly application: Application;
  readonly authentication: ClientAuthentication;
}

export interface ClientContext {
  readonly applications: ApplicationStore;
  readonly tenant: Tenant;
  readonly isOurAudience: AudienceJudge;
  readonly federation: FederatedAssertions;
  readonly usedAssertions: UsedAssertions;
  readonly nowMs: number;
  /** A browser says that a page sent the request, and for pages there is something to get. */
  readonly isFromPage: boolean;
}

/**
 * Finds the client and checks its credential.
 *
 * @throws IdentityError 700016 unknown, 7000112 disabled, 700025 public with a credential, 7000218 confidential without
 *         one, 7000215 / 7000222 wrong or expired secret, 70002 + 50064 + … for a failed assertion
 */
export async function authenticateClient(
  evidence: ClientEvidence,
  context: ClientContext,
): Promise<AuthenticatedClient> {
  const application = await getClient(evidence, context);
  const { credential } = evidence;
  if (application.document.isPublic && credential.kind !== "none") {
    throw new IdentityError(700025);
  }
  switch (credential.kind) {
    case "none":
      if (!application.document.isPublic && !(context.isFromPage && hasPages(application))) {
        throw new IdentityError(7000218);
      }
      break;
    case "secret":
      checkSecret(application, credential.secret, context.nowMs);
      break;
    case "certificate":
      if (!(await context.federation.verify(credential.assertion, application))) {
        verifyClientAssertion(credential.assertion, { application, ...context });
      }
      await useUp(application, credential.assertion, context);
      break;
  }
  return { application, authentication: credential.kind };
}

/**
 * Whether the client was let in without a credential because a page can't keep one, although its application is
 * confidential elsewhere. What it presents must have gone to a page, too. (reference §4.3)
 */
export function isPage({ application, authentication }: AuthenticatedClient): boolean {
  return authentication === "none" && !application.document.isPublic;
}

function hasPages(application: Application): boolean {
  return application.document.redirectUris.some(({ type }) => type === "spa");
}

function getClient(
  { clientId, isClaimed }: ClientEvidence,
  { applications, tenant }: ClientContext,
): Application | Promise<Application> {
  return whenKnown(applications.findByAppId(clientId), (application) => {
    // An application of another tenant is at home here only with a principal of its own, made when it was admitted.
    if (application === undefined || !application.servicePrincipals.has(tenant.id)) {
      // Then it is the assertion that names the wrong one. (identity §7)
      const outer = isClaimed ? FAILED_CREDENTIAL : [];
      throw new IdentityError(700016, { client: clientId, tenant: tenant.displayName }, { outer });
    }
    if (!application.document.isEnabled) {
      throw new IdentityError(7000112, { client: clientId });
    }
    return application;
  });
}

/** Last, so that nobody but the client can use an assertion up. */
async function useUp(application: Application, assertion: ClientAssertion, context: ClientContext): Promise<void> {
  if (application.document.usesAssertionsOnce && !(await context.usedAssertions.use(application, assertion))) {
    throw new IdentityError(700029, {}, { outer: FAILED_CREDENTIAL });
  }
}

function checkSecret(application: Application, secret: string, nowMs: number): void {
  switch (judgeSecret(application.secrets, secret, nowMs)) {
    case "right":
      return;
    case "expired":
      throw new IdentityError(7000222);
    case "wrong":
      throw new IdentityError(7000215);
  }
}

/** Only a missing or wrong type is an invalid request; whatever is wrong with the assertion itself comes later. */
function readAssertionText(form: FormBody): string | undefined {
  const type = form.find(parameters.CLIENT_ASSERTION_TYPE);
  const text = form.find(parameters.CLIENT_ASSERTION);
  if (type === undefined && text === undefined) {
    return undefined;
  }
  if (form.get(parameters.CLIENT_ASSERTION_TYPE) !== parameters.JWT_BEARER_ASSERTION) {
    throw new IdentityError(90014, {
      name: parameters.CLIENT_ASSERTION_TYPE,
      reason: `it must be ${parameters.JWT_BEARER_ASSERTION}`,
    });
  }
  return form.get(parameters.CLIENT_ASSERTION);
}

/**
 * HTTP Basic with both halves form-encoded (RFC 6749 §2.3.1). An empty secret is none: that is how public clients of
 * libraries that know nothing but Basic say who they are (requests-oauthlib). Other schemes are no client authentication.
 *
 * @throws IdentityError 50012 for a Basic header that can't be read
 */
function readBasic(authorization: string | undefined): { clientId: string; secret: string | undefined } | undefined {
  const match = authorization === undefined ? null : /^basic +(\S*) *$/i.exec(authorization);
  if (match === null) {
    return undefined;
  }
  const text = Buffer.from(match[1] ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  const clientId = decodeFormValue(text.slice(0, Math.max(colon, 0)));
  const secret = decodeFormValue(text.slice(colon + 1));
  if (clientId === undefined || clientId === "" || secret === undefined || text.includes("\0")) {
    throw new IdentityError(50012);
  }
  return { clientId, secret: secret === "" ? undefined : secret };
}
