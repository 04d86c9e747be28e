/** The words of the token endpoints, spelt once. (identity §4.1, RFC 6749, RFC 7521, RFC 7523) */

export const GRANT_TYPE = "grant_type";
export const CLIENT_ID = "client_id";
export const CLIENT_SECRET = "client_secret";
export const CLIENT_ASSERTION = "client_assertion";
export const CLIENT_ASSERTION_TYPE = "client_assertion_type";
export const USERNAME = "username";
export const PASSWORD = "password";
export const RESOURCE = "resource";
export const SCOPE = "scope";
export const REFRESH_TOKEN = "refresh_token";
export const TOKEN = "token";
export const ACCESS_TOKEN = "access_token";
export const CLIENT_INFO = "client_info";
export const CLIENT_REQUEST_ID = "client-request-id";

export const JWT_BEARER_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Tenant words that stand for no tenant in particular. (reference §1) */
export const COMMON = "common";
export const ORGANIZATIONS = "organizations";
export const CONSUMERS = "consumers";

/** Scopes that ask for something about the user and not for a resource. */
export const OPENID = "openid";
export const PROFILE = "profile";
export const EMAIL = "email";
export const OFFLINE_ACCESS = "offline_access";
export const OPENID_SCOPES: ReadonlySet<string> = new Set([OPENID, PROFILE, EMAIL, OFFLINE_ACCESS]);

/** All permissions of one resource at once. */
export const DEFAULT_SCOPE = ".default";

/** Parameters of the authorize endpoints. (identity §4.2, §4.3; reference §7.1) */
export const CLAIMS = "claims";
export const CODE = "code";
export const CODE_CHALLENGE = "code_challenge";
export const CODE_CHALLENGE_METHOD = "code_challenge_method";
export const CODE_VERIFIER = "code_verifier";
export const DOMAIN_HINT = "domain_hint";
export const LOGIN_HINT = "login_hint";
export const MAX_AGE = "max_age";
export const NONCE = "nonce";
export const PROMPT = "prompt";
export const REDIRECT_URI = "redirect_uri";
export const REGISTRATION = "registration";
export const REQUEST = "request";
export const REQUEST_URI = "request_uri";
export const RESPONSE_MODE = "response_mode";
export const RESPONSE_TYPE = "response_type";
export const STATE = "state";

/** Parameters of the device and on-behalf-of grants. (reference §4.5, §4.6) */
export const ASSERTION = "assertion";
export const DEVICE_CODE = "device_code";
export const REQUESTED_TOKEN_USE = "requested_token_use";
export const REQUESTED_TOKEN_TYPE = "requested_token_type";
export const ON_BEHALF_OF = "on_behalf_of";

/** The types of token that an access token of ours is. (RFC 8693 §3) */
export const JWT_TOKEN_TYPES: ReadonlySet<string> = new Set([
  "urn:ietf:params:oauth:token-type:access_token",
  "urn:ietf:params:oauth:token-type:jwt",
]);

/** Parameters of sign-out; the hint counts at the authorize endpoints too. (OpenID Connect RP-Initiated Logout §2) */
export const ID_TOKEN_HINT = "id_token_hint";
export const LOGOUT_HINT = "logout_hint";
export const POST_LOGOUT_REDIRECT_URI = "post_logout_redirect_uri";
