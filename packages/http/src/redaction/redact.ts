import { fieldPattern, isSecretField, isSecretParameter, parameterPattern } from "./secret-names.ts";

/** What stands in a log where a secret was. */
export const redacted = "[redacted]";

/** Deeper than any log line of ours; what lies below is left out, so that a hostile structure costs nothing. */
const maxDepth = 6;

/**
 * A copy of a log line's fields with every secret's value replaced, by name, at any depth. Values that are not plain
 * objects or arrays stay as they are: the logger's serializers choose what to show of them.
 */
export function redactFields(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    result[name] = isSecretField(name) && value !== undefined ? redacted : redactValue(value, depth + 1);
  }
  return result;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (depth > maxDepth) {
    return "[too deep]";
  }
  if (Array.isArray(value)) {
    return value.map((item) => redactValue(item, depth + 1));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? redactFields(value as Record<string, unknown>, depth)
    : value;
}

/** A request's URL (path and query) with the values of secret parameters replaced, however the names are encoded. */
export function scrubUrl(url: string): string {
  const queryStart = url.indexOf("?");
  if (queryStart < 0) {
    return url;
  }
  const parameters = url.slice(queryStart + 1).split("&");
  const scrubbed = parameters.map((parameter) => {
    const equals = parameter.indexOf("=");
    return equals >= 0 && isSecretParameter(parameter.slice(0, equals))
      ? `${parameter.slice(0, equals)}=${redacted}`
      : parameter;
  });
  return `${url.slice(0, queryStart)}?${scrubbed.join("&")}`;
}

/** A pattern of secrets in running text. */
interface TextPattern {
  /** What every text that matches holds: most lines are passed by looking for it alone. */
  readonly sign: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** JSON fields (also of JSON inside a string), parameters, credentials after their scheme, signed tokens. */
const textPatterns: readonly TextPattern[] = [
  {
    sign: "=",
    pattern: new RegExp(String.raw`([?&;](?:${parameterPattern})=)[^&;#\s"'\\<>]+`, "gi"),
    replacement: `$1${redacted}`,
  },
  {
    sign: '"',
    pattern: new RegExp(String.raw`("(?:${fieldPattern})"\s*:\s*)"(?:[^"\\]|\\.)*"`, "gi"),
    replacement: `$1"${redacted}"`,
  },
  {
    sign: '\\"',
    pattern: new RegExp(String.raw`(\\+"(?:${fieldPattern})\\+"\s*:\s*\\+")[^"\\]+`, "gi"),
    replacement: `$1${redacted}`,
  },
  { sign: "=", pattern: /\b(AccountKey=)[^;"\s\\]+/gi, replacement: `$1${redacted}` },
  {
    sign: " ",
    pattern: /\b(Bearer|Basic|SharedKey|SharedKeyLite) [\w+/=.~:-]{12,}/gi,
    replacement: `$1 ${redacted}`,
  },
  { sign: "eyJ", pattern: /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, replacement: redacted },
  { sign: "://", pattern: /(:\/\/[^/\s:@"]+:)[^@/\s"]+(?=@)/g, replacement: `$1${redacted}` },
];

/** One line of a log with what looks like a secret replaced: the second net, for messages and stack traces. */
export function scrubText(line: string): string {
  let result = line;
  for (const { sign, pattern, replacement } of textPatterns) {
    if (result.includes(sign)) {
      result = result.replace(pattern, replacement);
    }
  }
  return result;
}
