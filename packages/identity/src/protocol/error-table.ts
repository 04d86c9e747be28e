/**
 * Every error of the provider: number, OAuth word, HTTP status and our own words for people. The JSON answers, the
 * pages under `/error?code=` and the documentation are all rendered from here. `{name}` marks what a request fills in.
 *
 * The words `login_required`, `interaction_required` and the like must not appear in texts: clients search for them.
 * (identity §7; reference §8)
 */
const rows = {
  16000: {
    error: "interaction_required",
    status: 400,
    text: "Several accounts are signed in and the request does not tell which is meant.",
  },
  50034: { error: "invalid_grant", status: 400, text: "The user is not known in this directory." },
  50049: { error: "invalid_instance", status: 400, text: "The authorization endpoint '{value}' is not served here." },
  50050: { error: "invalid_request", status: 400, text: "The discovery request lacks or repeats '{name}'." },
  50053: { error: "invalid_grant", status: 400, text: "Too many attempts failed: the account is locked for a while." },
  50055: {
    error: "invalid_grant",
    status: 400,
    suberror: "user_password_expired",
    text: "The password must be changed before it can be used.",
  },
  50057: { error: "invalid_grant", status: 400, text: "The user account is disabled." },
  50058: { error: "login_required", status: 400, text: "Nobody is signed in and the request forbids to ask." },
  50059: {
    error: "invalid_request",
    status: 400,
    text: "Neither the address nor the request tells which tenant is meant.",
  },
  50064: { error: "unauthorized_client", status: 400, text: "Credential validation failed." },
  500011: {
    error: "invalid_resource",
    status: 400,
    text: "The resource '{resource}' is not registered in the tenant '{tenant}'.",
  },
  50011: {
    error: "invalid_request",
    status: 400,
    text: "The reply address '{uri}' is not registered for the application.",
  },
  500113: { error: "invalid_request", status: 400, text: "No reply address is registered for the application." },
  500117: {
    error: "invalid_request",
    status: 400,
    text: "The reply address '{uri}' does not use a secure scheme: https is needed, except on localhost.",
  },
  500119: {
    error: "invalid_request",
    status: 400,
    text: "The reply address '{uri}' cannot be answered by a redirect.",
  },
  50012: { error: "invalid_client", status: 401, text: "The credential of the client is not valid." },
  50013: {
    error: "invalid_grant",
    status: 400,
    text: "The assertion is not a token of this provider for this tenant.",
  },
  500131: {
    error: "invalid_grant",
    status: 400,
    text: "The assertion is for '{audience}' and not for the application that presents it.",
  },
  500133: { error: "invalid_grant", status: 400, text: "The assertion is outside its time window." },
  50020: {
    error: "invalid_grant",
    status: 400,
    text: "The account belongs to another tenant and is not admitted to this application.",
  },
  50027: { error: "invalid_request", status: 400, text: "The JWT is malformed: {reason}." },
  50105: {
    error: "interaction_required",
    status: 400,
    text: "The user is not assigned to the application '{client}', which admits assigned users only.",
  },
  501051: {
    error: "invalid_grant",
    status: 400,
    text: "The application has no role at '{resource}', which admits assigned applications only.",
  },
  50076: {
    error: "invalid_grant",
    status: 400,
    suberror: "basic_action",
    text: "The user has a second factor, which this grant cannot ask for: use a browser.",
  },
  50079: {
    error: "invalid_grant",
    status: 400,
    suberror: "basic_action",
    text: "The user must set up a second factor first: use a browser.",
  },
  50126: { error: "invalid_grant", status: 400, text: "The user name or the password is wrong." },
  501481: {
    error: "invalid_grant",
    status: 400,
    text: "The code verifier does not match the challenge of the request.",
  },
  501491: { error: "invalid_request", status: 400, text: "The code challenge is not valid: {reason}." },
  50166: {
    error: "unauthorized_client",
    status: 400,
    text: "The keys of the issuer '{issuer}' could not be read: {reason}.",
  },
  50173: { error: "invalid_grant", status: 400, suberror: "bad_token", text: "The grant was revoked; sign in again." },
  50194: {
    error: "invalid_request",
    status: 400,
    text: "The application '{client}' belongs to one tenant: name it instead of '{tenant}'.",
  },
  54005: { error: "invalid_grant", status: 400, text: "The code was redeemed before; what it gave is revoked." },
  65001: {
    error: "invalid_grant",
    status: 400,
    suberror: "consent_required",
    text: "Nobody who may has consented to '{scope}' for the application '{client}'.",
  },
  65004: { error: "access_denied", status: 400, text: "The user declined to sign in or to consent." },
  70000: {
    error: "invalid_grant",
    status: 400,
    text: "The grant is malformed, unknown, or was given to another client or for something else.",
  },
  700005: { error: "invalid_grant", status: 400, text: "The code was issued for another tenant." },
  700016: {
    error: "unauthorized_client",
    status: 400,
    text: "The application '{client}' is not registered in the tenant '{tenant}'.",
  },
  70002: { error: "unauthorized_client", status: 400, text: "Error validating credentials." },
  700021: { error: "invalid_client", status: 401, text: "The assertion's issuer and subject must both be the client." },
  700023: {
    error: "invalid_client",
    status: 401,
    text: "The assertion's audience '{audience}' is not this token endpoint.",
  },
  700024: { error: "invalid_client", status: 401, text: "The assertion is outside its time window: {reason}." },
  700025: { error: "invalid_client", status: 401, text: "The client is a public one and must not send a credential." },
  700027: {
    error: "invalid_client",
    status: 401,
    text: "The assertion is not signed with a registered certificate or key: {reason}.",
  },
  700029: {
    error: "invalid_client",
    status: 401,
    text: "The assertion was used before, or has no 'jti', and the application's assertions count once.",
  },
  700211: {
    error: "invalid_client",
    status: 401,
    text: "The application trusts no tokens of the issuer '{issuer}'.",
  },
  700212: {
    error: "invalid_client",
    status: 401,
    text: "The assertion's audience '{audience}' is none that the application's federated credential names.",
  },
  700213: {
    error: "invalid_client",
    status: 401,
    text: "The assertion's subject '{subject}' is none that the application's federated credential names.",
  },
  7000114: {
    error: "invalid_grant",
    status: 400,
    text: "Only a confidential client can act on behalf of a user, and only with the token of a user.",
  },
  70003: { error: "unsupported_grant_type", status: 400, text: "The grant type '{grant}' is not supported." },
  70016: { error: "authorization_pending", status: 400, text: "Nobody has signed in with the code yet; go on asking." },
  70017: { error: "slow_down", status: 400, text: "Ask less often: wait five seconds longer between two requests." },
  70018: { error: "bad_verification_code", status: 400, text: "The device code is unknown or was used." },
  70019: { error: "expired_token", status: 400, text: "The device code has expired." },
  700082: {
    error: "invalid_grant",
    status: 400,
    suberror: "bad_token",
    text: "The refresh token expired; sign in again.",
  },
  70005: {
    error: "unsupported_response_type",
    status: 400,
    text: "The response type '{type}' is not supported.",
  },
  700051: {
    error: "unsupported_response_type",
    status: 400,
    text: "Access tokens from the authorize endpoint are not enabled for the application.",
  },
  700054: {
    error: "unsupported_response_type",
    status: 400,
    text: "Id tokens from the authorize endpoint are not enabled for the application.",
  },
  70007: {
    error: "invalid_request",
    status: 400,
    text: "The response mode '{mode}' is not supported for this response type.",
  },
  70008: { error: "invalid_grant", status: 400, text: "The code has expired." },
  700084: {
    error: "invalid_grant",
    status: 400,
    suberror: "bad_token",
    text: "The refresh token of a single-page application ended with its sign-in's day; sign in again.",
  },
  70011: { error: "invalid_scope", status: 400, text: "The scope '{scope}' is not valid: {reason}." },
  7000112: { error: "unauthorized_client", status: 400, text: "The application '{client}' is disabled." },
  7000215: { error: "invalid_client", status: 401, text: "The client secret is wrong." },
  7000216: {
    error: "invalid_client",
    status: 401,
    text: "Without a user the client must send a secret or an assertion.",
  },
  7000218: {
    error: "invalid_client",
    status: 401,
    text: "The client is a confidential one and must send 'client_secret' or 'client_assertion'.",
  },
  7000222: { error: "invalid_client", status: 401, text: "The client secret is outside its validity period." },
  90002: { error: "invalid_request", status: 400, text: "The tenant '{tenant}' is not known here." },
  90013: { error: "invalid_request", status: 400, text: "The input is not valid: {reason}." },
  90014: { error: "invalid_request", status: 400, text: "The field '{name}' is missing or not valid: {reason}." },
  90023: { error: "invalid_request", status: 400, text: "The parameter '{name}' is not valid: {reason}." },
  90033: { error: "temporarily_unavailable", status: 503, text: "The service is busy; try again in a moment." },
  900144: {
    error: "invalid_request",
    status: 400,
    text: "The request must contain the parameter '{name}'.",
  },
  900561: { error: "invalid_request", status: 405, text: "This address takes {allowed} requests only, not {method}." },
  9001023: { error: "invalid_request", status: 400, text: "This grant needs a tenant of its own, not '{tenant}'." },
  90102: { error: "invalid_request", status: 400, text: "The reply address '{uri}' is not an absolute address." },
  900971: {
    error: "invalid_request",
    status: 400,
    text: "The request must say which of several reply addresses it means.",
  },
  9002325: { error: "invalid_request", status: 400, text: "This client must use PKCE: a code_challenge is needed." },
  90094: {
    error: "access_denied",
    status: 400,
    text: "Ask an administrator: nobody else may consent to '{scope}' for the application '{client}'.",
  },
  901002: {
    error: "invalid_request",
    status: 400,
    text: "The parameter 'resource' belongs to the v1 endpoint; use 'scope' here.",
  },
  9002313: { error: "invalid_request", status: 400, text: "The request is malformed: {reason}." },
  90090: { error: "server_error", status: 500, text: "The request could not be served for an internal reason." },
  240002: { error: "invalid_grant", status: 400, text: "An id token cannot be used as an assertion." },
  9002326: {
    error: "invalid_request",
    status: 400,
    text: "Only codes of a single-page application are redeemed by a page of another origin.",
  },
  9002327: {
    error: "invalid_request",
    status: 400,
    text: "Codes of a single-page application are redeemed by its pages only.",
  },
  9002331: { error: "request_not_supported", status: 400, text: "Request objects are not supported." },
  9002332: { error: "request_uri_not_supported", status: 400, text: "Request objects by address are not supported." },
  9002334: { error: "registration_not_supported", status: 400, text: "Clients are registered beforehand only." },
  9002335: {
    error: "unmet_authentication_requirements",
    status: 400,
    text: "The request demands a way of signing in ('{values}') that is not defined here.",
  },
  1002012: {
    error: "invalid_scope",
    status: 400,
    text: "The scope '{scope}' is not valid: without a user it must be one resource followed by '/.default'.",
  },
} as const;

export type ErrorNumber = keyof typeof rows;

/** One row: the OAuth error word, the HTTP status, the text with `{placeholders}` and sometimes a `suberror`. */
export interface ErrorRow {
  readonly error: string;
  readonly status: number;
  readonly text: string;
  readonly suberror?: string;
}

export const errorTable: Readonly<Record<ErrorNumber, ErrorRow>> = rows;
