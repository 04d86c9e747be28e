import { ManagementError } from "../protocol/management-error.ts";

/** What a policy says; what it doesn't say stays as it is without one. Seconds. */
export interface TokenLifetimes {
  /** Of access and id tokens. */
  readonly accessTokenSeconds?: number | undefined;
  /** Of a refresh token that isn't used. */
  readonly maxInactiveSeconds?: number | undefined;
  /** Of all refresh tokens of one sign-in, however often they are used. */
  readonly maxAgeSeconds?: number | undefined;
}

const DAY = 86_400;
/** The longest life of an access token; what is revoked is remembered for as long. (reference §5.3) */
export const LONGEST_ACCESS_TOKEN_SECONDS: number = DAY;

interface Property {
  readonly member: keyof TokenLifetimes;
  readonly minimumSeconds: number;
  readonly maximumSeconds: number;
  /** Whether the word for "as long as it is used" may stand there. */
  readonly mayBeUnlimited: boolean;
}

/** The words of a definition. Of the two for the age of a session one counts: there is one factor. (reference §5.3) */
const PROPERTIES: Readonly<Record<string, Property | undefined>> = {
  AccessTokenLifetime: {
    member: "accessTokenSeconds",
    minimumSeconds: 600,
    maximumSeconds: LONGEST_ACCESS_TOKEN_SECONDS,
    mayBeUnlimited: false,
  },
  MaxInactiveTime: {
    member: "maxInactiveSeconds",
    minimumSeconds: 600,
    maximumSeconds: 365 * DAY,
    mayBeUnlimited: false,
  },
  MaxAgeSingleFactor: { member: "maxAgeSeconds", minimumSeconds: 600, maximumSeconds: 365 * DAY, mayBeUnlimited: true },
};

/** Of other generations and kinds: understood and without effect. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "Version",
  "MaxAgeMultiFactor",
  "MaxAgeSessionSingleFactor",
  "MaxAgeSessionMultiFactor",
]);
const UNTIL_REVOKED = "until-revoked";

/**
 * Reads the one entry of a policy's `definition`: JSON inside a text, `{"TokenLifetimePolicy":{"Version":1,…}}`.
 *
 * @throws ManagementError naming what is unknown or out of range
 */
export function readLifetimes(definition: string): TokenLifetimes {
  const policy = membersOf(parse(definition))["TokenLifetimePolicy"];
  const members = Object.entries(membersOf(policy));
  const lifetimes: { -readonly [Member in keyof TokenLifetimes]: number } = {};
  for (const [name, value] of members.filter(([each]) => !WITHOUT_EFFECT.has(each))) {
    const property = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
    if (property === undefined) {
      throw refusal(`'${name.slice(0, 100)}' is not one of ${Object.keys(PROPERTIES).join(", ")}`);
    }
    if (!(property.mayBeUnlimited && value === UNTIL_REVOKED)) {
      lifetimes[property.member] = readSeconds(name, value, property);
    }
  }
  return lifetimes;
}

const TIME_SPAN = /^(?:(\d{1,4})\.)?(\d{1,2}):(\d{2}):(\d{2})$/;

/** `hh:mm:ss` or `d.hh:mm:ss` */
function readSeconds(name: string, value: unknown, { minimumSeconds, maximumSeconds }: Property): number {
  const match = typeof value === "string" ? TIME_SPAN.exec(value) : null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = (match?.slice(1) ?? []).map((part) => Number(part ?? 0));
  const total = days * DAY + hours * 3600 + minutes * 60 + seconds;
  if (match === null || total < minimumSeconds || total > maximumSeconds) {
    throw refusal(
      `'${name}' must be a time like 01:30:00 or 1.00:00:00, from ${minimumSeconds} to ${maximumSeconds} seconds`,
    );
  }
  return total;
}

function parse(definition: string): unknown {
  try {
    return JSON.parse(definition) as unknown;
  } catch {
    throw refusal("it must be JSON");
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refusal('it must be an object like {"TokenLifetimePolicy":{"Version":1,"AccessTokenLifetime":"02:00:00"}}');
  }
  return value as Readonly<Record<string, unknown>>;
}

function refusal(reason: string): ManagementError {
  return new ManagementError("Request_BadRequest", `The definition of the policy is not valid: ${reason}`);
}
