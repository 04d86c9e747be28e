import { StorageError } from "../errors/storage-error.ts";
import { type AnswerHeaders } from "../operations/answer.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { findChild, type XmlElement } from "../xml/read-xml.ts";

/** One rule of the service properties; lists as they were given, without spaces. */
export interface CorsRule {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly allowedHeaders: readonly string[];
  readonly exposedHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}

const RULE_LIMIT = 5;
const METHODS: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "MERGE", "POST", "OPTIONS", "PUT", "PATCH"]);

/**
 * Reads the rules of a `Cors` section.
 *
 * @throws StorageError `InvalidXmlDocument` or `InvalidXmlNodeValue`
 */
export function parseCorsRules(section: XmlElement | undefined): readonly CorsRule[] {
  const rules = (section?.children ?? []).map(parseRule);
  if (rules.length > RULE_LIMIT) {
    throw new StorageError("InvalidXmlDocument", { elements: { Reason: "at most five rules" } });
  }
  return rules;
}

function parseRule(rule: XmlElement): CorsRule {
  const list = (name: string): readonly string[] => {
    const text = findChild(rule, name)?.text ?? "";
    return text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  };
  const origins = list("AllowedOrigins");
  const methods = list("AllowedMethods").map((method) => method.toUpperCase());
  const maxAgeSeconds = Number(findChild(rule, "MaxAgeInSeconds")?.text ?? "0");
  if (rule.name !== "CorsRule" || origins.length === 0 || methods.length === 0) {
    throw new StorageError("InvalidXmlDocument");
  }
  if (!methods.every((method) => METHODS.has(method)) || !Number.isInteger(maxAgeSeconds) || maxAgeSeconds < 0) {
    throw new StorageError("InvalidXmlNodeValue", { elements: { XmlNodeName: "CorsRule", XmlNodeValue: "" } });
  }
  return {
    origins,
    methods,
    allowedHeaders: list("AllowedHeaders"),
    exposedHeaders: list("ExposedHeaders"),
    maxAgeSeconds,
  };
}

/**
 * Answers a preflight request (storage §17): the first rule that matches wins.
 *
 * @throws StorageError `InvalidHeaderValue` without the headers that make it one, `CorsPreflightFailure` without a rule
 */
export function preflightHeaders(rules: readonly CorsRule[], headers: RequestHeaders): AnswerHeaders {
  const origin = headers.find("origin");
  const method = headers.find("access-control-request-method");
  const asked = headers.find("access-control-request-headers") ?? "";
  if (origin === undefined || method === undefined) {
    throw new StorageError("InvalidHeaderValue", { message: "A required CORS header is not present." });
  }
  const names = asked.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  const rule = rules.find(
    ({ origins, methods, allowedHeaders }) =>
      matchesOrigin(origins, origin) &&
      methods.includes(method.toUpperCase()) &&
      names.every((name) => matchesHeader(allowedHeaders, name)),
  );
  if (rule === undefined) {
    throw new StorageError("CorsPreflightFailure");
  }
  return {
    ...originHeaders(rule, origin),
    "Access-Control-Allow-Methods": method,
    "Access-Control-Allow-Headers": asked === "" ? undefined : asked,
    "Access-Control-Max-Age": String(rule.maxAgeSeconds),
  };
}

/** Of a request that no page of another origin made. */
export const noCors: AnswerHeaders = {};

/** What an actual request of a page gets besides its answer; also with errors. */
export function corsHeaders(rules: readonly CorsRule[], method: string, headers: RequestHeaders): AnswerHeaders {
  const origin = headers.find("origin");
  if (origin === undefined || rules.length === 0) {
    return noCors;
  }
  const rule = rules.find(({ origins, methods }) => matchesOrigin(origins, origin) && methods.includes(method));
  if (rule === undefined) {
    return { Vary: "Origin" };
  }
  const exposed = rule.exposedHeaders.join(",");
  return { ...originHeaders(rule, origin), "Access-Control-Expose-Headers": exposed === "" ? undefined : exposed };
}

function originHeaders({ origins }: CorsRule, origin: string): AnswerHeaders {
  return origins.includes("*")
    ? { "Access-Control-Allow-Origin": "*" }
    : {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Credentials": "true",
        Vary: "Origin",
      };
}

/** `*`, an origin, or one with `*.` before the host, for subdomains of any depth. */
function matchesOrigin(origins: readonly string[], origin: string): boolean {
  const asked = origin.toLowerCase();
  return origins.some((entry) => {
    const allowed = entry.toLowerCase();
    // The scheme may be left out: `*.example.com` is for every one.
    const [, scheme = "", host] = /^(.*:\/\/)?\*(\..+)$/u.exec(allowed) ?? [];
    return (
      allowed === "*" || allowed === asked || (host !== undefined && asked.startsWith(scheme) && asked.endsWith(host))
    );
  });
}

/** A literal name, or a beginning followed by `*`. */
function matchesHeader(allowed: readonly string[], name: string): boolean {
  const asked = name.toLowerCase();
  return allowed.some((entry) => {
    const pattern = entry.toLowerCase();
    return pattern.endsWith("*") ? asked.startsWith(pattern.slice(0, -1)) : pattern === asked;
  });
}
