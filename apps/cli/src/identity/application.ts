import type { CommandContext } from "../command-context.ts";

/** An application registration as the management interface shows it. */
export interface Application {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly createdDateTime: string;
  readonly identifierUris: readonly string[];
  readonly isFallbackPublicClient: boolean;
  readonly api: {
    readonly requestedAccessTokenVersion: 1 | 2;
    readonly oauth2PermissionScopes: readonly { readonly value: string }[];
  };
  readonly appRoles: readonly { readonly value: string }[];
  readonly web: { readonly redirectUris: readonly string[] };
  readonly spa: { readonly redirectUris: readonly string[] };
  readonly publicClient: { readonly redirectUris: readonly string[] };
  readonly passwordCredentials: readonly Credential[];
  readonly keyCredentials: readonly Credential[];
}

/** A secret or a certificate; the secret's text only in the answer that made it. */
export interface Credential {
  readonly keyId: string;
  readonly displayName: string;
  readonly hint?: string;
  readonly secretText?: string | null;
  readonly customKeyIdentifier?: string;
  readonly startDateTime: string;
  readonly endDateTime: string;
}

/** One registration for people, or whole as JSON. */
export function showApplication(context: CommandContext, application: Application): void {
  if (context.wantsJson) {
    context.printJson(application);
    return;
  }
  const values = (entries: readonly { readonly value: string }[]): string =>
    entries.map((each) => each.value).join(" ");
  const redirectUris = [application.web, application.spa, application.publicClient].flatMap(
    (each) => each.redirectUris,
  );
  const lines: readonly (readonly [string, string])[] = [
    ["Application", application.displayName],
    ["Client id", application.appId],
    ["Object id", application.id],
    ["Kind", application.isFallbackPublicClient ? "public client" : "confidential client"],
    ["App ID URIs", application.identifierUris.join(" ")],
    ["Redirect URIs", redirectUris.join(" ")],
    ["Scopes", values(application.api.oauth2PermissionScopes)],
    ["App roles", values(application.appRoles)],
    ["Token version", String(application.api.requestedAccessTokenVersion)],
    ["Secrets", String(application.passwordCredentials.length)],
    ["Certificates", String(application.keyCredentials.length)],
    ["Created", application.createdDateTime],
  ];
  for (const [title, value] of lines.filter(([, text]) => text !== "")) {
    context.print(`${title.padEnd(14)}${value}`);
  }
}

/** Secrets or certificates as a table. */
export function showCredentials(context: CommandContext, credentials: readonly Credential[]): void {
  if (context.wantsJson) {
    context.printJson(credentials);
    return;
  }
  context.printTable(
    credentials.map((credential) => ({
      id: credential.keyId,
      name: credential.displayName,
      mark: credential.hint === undefined ? thumbprint(credential) : `${credential.hint}…`,
      from: credential.startDateTime,
      until: credential.endDateTime,
    })),
  );
}

/** As certificate tools show it. */
function thumbprint({ customKeyIdentifier = "" }: Credential): string {
  return Buffer.from(customKeyIdentifier, "base64").toString("hex").toUpperCase();
}
