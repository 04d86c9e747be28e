/** Where a name stands for a secret. `parameters`: only in query strings, since elsewhere it says something harmless. */
export interface SecretName {
  /** Words joined by `_`; matched in any case and with `-`, `_` or nothing between the words. */
  readonly name: string;
  readonly where: "everywhere" | "parameters";
}

const everywhere = [
  "access_token",
  "account_key",
  "account_keys",
  "assertion",
  "authorization",
  "client_assertion",
  "client_secret",
  "code_verifier",
  "connection_string",
  "cookie",
  "cookies",
  "device_code",
  "encryption_key",
  "id_token",
  "id_token_hint",
  "identity_header",
  "initial_password",
  "key_pem",
  "keys",
  "new_password",
  "old_password",
  "password",
  "private_key",
  "proxy_authorization",
  "refresh_token",
  "secret",
  "secret_text",
  "set_cookie",
  "shared_access_signature",
  "source_encryption_key",
  "subject_token",
  "token",
  "x_identity_header",
  "x_ms_encryption_key",
  "x_ms_source_encryption_key",
  "x_store_encryption_key",
  "x_store_source_encryption_key",
] as const;

/** `code` is an error's code in a log line, but an authorization code in a query string. */
const onlyInParameters = ["code", "key", "pwd", "sig", "signature", "state", "user_code"] as const;

/** The one list of names whose values never reach a log. */
export const secretNames: readonly SecretName[] = [
  ...everywhere.map((name) => ({ name, where: "everywhere" }) as const),
  ...onlyInParameters.map((name) => ({ name, where: "parameters" }) as const),
];

const normalise = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "");

const fieldNames: ReadonlySet<string> = new Set(everywhere.map(normalise));
const parameterNames: ReadonlySet<string> = new Set(secretNames.map(({ name }) => normalise(name)));

const JUDGED_LIMIT = 1_000;

/** Names that were judged before are remembered: every line of a log has the same few. */
function remembering(judge: (name: string) => boolean): (name: string) => boolean {
  const judged = new Map<string, boolean>();
  return (name) => {
    const known = judged.get(name);
    if (known !== undefined) {
      return known;
    }
    const verdict = judge(name);
    // Callers choose what their parameters are called, and how long that is.
    if (judged.size < JUDGED_LIMIT && name.length <= NAME_LIMIT) {
      // A copy: a part of a longer text would keep all of that.
      judged.set(Buffer.from(name).toString(), verdict);
    }
    return verdict;
  };
}

const NAME_LIMIT = 64;

/** Whether a field of a log line carries a secret by its name. */
export const isSecretField: (name: string) => boolean = remembering((name) => fieldNames.has(normalise(name)));

/** Whether a query or form parameter, its name as it was sent, carries a secret. */
export const isSecretParameter: (name: string) => boolean = remembering((name) =>
  parameterNames.has(normalise(decode(name))),
);

function decode(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).trim();
  } catch {
    return name;
  }
}

const spellings = (names: readonly string[]): string => names.map((name) => name.replaceAll("_", "[-_]?")).join("|");

/** Alternatives for regular expressions that find fields' and parameters' names in running text. */
export const fieldPattern: string = spellings(everywhere);
export const parameterPattern: string = spellings(secretNames.map(({ name }) => name));
