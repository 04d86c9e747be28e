import { randomUUID } from "node:crypto";
import {
  type AppRole,
  type ApplicationDocument,
  type PermissionScope,
  type RedirectUri,
} from "../applications/application.ts";
import { readRedirectUri } from "../applications/redirect-uri.ts";
import { isGuid } from "../protocol/exchange.ts";
import { ManagementError } from "../protocol/management-error.ts";

/** A JSON object from a request, read member by member; a member of the wrong kind is named in the refusal. */
export class JsonInput {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path = "") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new ManagementError("Request_BadRequest", `${path === "" ? "The body" : path} must be a JSON object`);
    }
    this.#members = value as Readonly<Record<string, unknown>>;
    this.#path = path;
  }

  /** A string, trimmed of nothing; null counts as absent. */
  findText(name: string): string | undefined {
    return this.#find(name, "a string", (value) =>
      typeof value === "string" && !value.includes("\0") ? value : undefined,
    );
  }

  getText(name: string): string {
    const text = this.findText(name);
    if (text === undefined || text === "") {
      throw new ManagementError("Request_BadRequest", `'${this.#path}${name}' is missing`);
    }
    return text;
  }

  findFlag(name: string): boolean | undefined {
    return this.#find(name, "true or false", (value) => (typeof value === "boolean" ? value : undefined));
  }

  findObject(name: string): JsonInput | undefined {
    const value = this.#members[name];
    return value === undefined || value === null ? undefined : new JsonInput(value, `${this.#path}${name}.`);
  }

  findObjects(name: string): readonly JsonInput[] | undefined {
    return this.#list(name)?.map((value, index) => new JsonInput(value, `${this.#path}${name}[${index}].`));
  }

  findTexts(name: string): readonly string[] | undefined {
    return this.#list(name)?.map((value) => {
      if (typeof value !== "string" || value.includes("\0")) {
        throw new ManagementError("Request_BadRequest", `'${this.#path}${name}' must be a list of strings`);
      }
      return value;
    });
  }

  findTimeMs(name: string): number | undefined {
    return this.#find(name, "a date and time like 2030-01-31T00:00:00Z", (value) => {
      const ms = typeof value === "string" ? Date.parse(value) : NaN;
      return Number.isNaN(ms) ? undefined : ms;
    });
  }

  findOneOf<Value extends string | number>(name: string, values: readonly Value[]): Value | undefined {
    return this.#find(name, `one of ${values.join(", ")}`, (value) => values.find((each) => each === value));
  }

  #list(name: string): readonly unknown[] | undefined {
    return this.#find(name, "a list", (value) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined));
  }

  #find<Value>(name: string, wanted: string, read: (value: unknown) => Value | undefined): Value | undefined {
    const value = this.#members[name];
    if (value === undefined || value === null) {
      return undefined;
    }
    const result = read(value);
    if (result === undefined) {
      throw new ManagementError("Request_BadRequest", `'${this.#path}${name}' must be ${wanted}`);
    }
    return result;
  }
}

const AUDIENCES = ["AzureADMyOrg", "AzureADMultipleOrgs", "AzureADandPersonalMicrosoftAccount"] as const;

/** The members of an application that have no table of their own; absent ones stay absent. */
export function readApplicationDocument(input: JsonInput, before: ApplicationDocument): Partial<ApplicationDocument> {
  const api = input.findObject("api");
  const implicit = input.findObject("web")?.findObject("implicitGrantSettings");
  const audience = input.findOneOf("signInAudience", AUDIENCES);
  const isDisabled = input.findFlag("isDisabled");
  return withoutUndefined({
    isEnabled: isDisabled === undefined ? undefined : !isDisabled,
    isPublic: input.findFlag("isFallbackPublicClient"),
    isMultiTenant: audience === undefined ? undefined : audience !== "AzureADMyOrg",
    tokenVersion: api?.findOneOf("requestedAccessTokenVersion", [1, 2] as const),
    redirectUris: readRedirectUris(input, before),
    scopes: api?.findObjects("oauth2PermissionScopes")?.map(readScope),
    appRoles: input.findObjects("appRoles")?.map(readAppRole),
    issuesIdTokensImplicitly: implicit?.findFlag("enableIdTokenIssuance"),
    issuesAccessTokensImplicitly: implicit?.findFlag("enableAccessTokenIssuance"),
    toleratesLineBreaksInX5c: input.findFlag("toleratesLineBreaksInX5c"),
  });
}

const REDIRECT_MEMBERS = { web: "web", spa: "spa", publicClient: "public" } as const;

/** Each of the three collections is replaced whole when it is there. */
function readRedirectUris(input: JsonInput, before: ApplicationDocument): readonly RedirectUri[] | undefined {
  let uris = before.redirectUris;
  for (const [member, type] of Object.entries(REDIRECT_MEMBERS)) {
    const replacement = input.findObject(member)?.findTexts("redirectUris");
    if (replacement !== undefined) {
      const added = replacement.map((uri) => ({ uri: readRedirectUri(uri, type), type }));
      uris = [...uris.filter((each) => each.type !== type), ...added];
    }
  }
  return uris === before.redirectUris ? undefined : uris;
}

const PERMISSION_NAME = /^[\w.:-]{1,120}$/;

function readScope(input: JsonInput): PermissionScope {
  return {
    id: readId(input),
    value: readPermissionName(input),
    description: input.findText("adminConsentDescription") ?? "",
    consentBy: input.findOneOf("type", ["User", "Admin"] as const) ?? "User",
    isEnabled: input.findFlag("isEnabled") ?? true,
  };
}

function readAppRole(input: JsonInput): AppRole {
  const value = readPermissionName(input);
  return {
    id: readId(input),
    value,
    displayName: input.findText("displayName") ?? value,
    description: input.findText("description") ?? "",
    allowedMemberTypes: (input.findTexts("allowedMemberTypes") ?? ["User", "Application"]).filter(
      (type) => type === "User" || type === "Application",
    ),
    isEnabled: input.findFlag("isEnabled") ?? true,
  };
}

function readPermissionName(input: JsonInput): string {
  const value = input.getText("value");
  if (!PERMISSION_NAME.test(value)) {
    throw new ManagementError("Request_BadRequest", `'${value}' cannot be the name of a scope or role`);
  }
  return value;
}

function readId(input: JsonInput): string {
  const id = input.findText("id") ?? randomUUID();
  if (!isGuid(id)) {
    throw new ManagementError("Request_BadRequest", `'${id}' is not a GUID`);
  }
  return id.toLowerCase();
}

function withoutUndefined<Value extends object>(value: Value): { [K in keyof Value]?: Exclude<Value[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof Value]?: Exclude<Value[K], undefined>;
  };
}
