import { bodyText } from "../json/body-text.ts";
import { JsonError } from "../json/json-error.ts";
import { JsonReader, type JsonValue } from "../json/json-reader.ts";
import { acceptsJson } from "../protocol/accept.ts";
import { type RestAnswer, type RestCall, type RestRoute } from "../rest/rest-call.ts";
import { PlainError, RestError } from "../rest/rest-error.ts";
import { isList, requireJson } from "../rest/rest-input.ts";
import { BEAN_DOMAIN, beanRepresentation, beansOf, type BeanSources, KERNEL_QUERY } from "./management-beans.ts";
import { parseObjectName } from "./object-name.ts";

const JMX = "/db/manage/server/jmx";

/** Management beans: what the consoles of the era show of the server (graph-http §8). */
export function beanRoutes(sources: BeanSources): readonly RestRoute[] {
  const list = (call: RestCall, matches: (name: string) => boolean): JsonValue =>
    beansOf(sources, call)
      .filter(({ name }) => matches(name))
      .map(beanRepresentation);
  return [
    { method: "GET", path: JMX, handle: resources },
    { method: "GET", path: `${JMX}/domain`, handle: () => listAnswer([BEAN_DOMAIN]) },
    {
      method: "GET",
      path: `${JMX}/domain/:domain`,
      handle: (call) => {
        const domain = call.parameters["domain"] ?? "";
        const beans = list(call, (name) => name.startsWith(`${domain}:`));
        return mapAnswer([
          ["beans", beans],
          ["domain", domain],
        ]);
      },
    },
    {
      method: "GET",
      path: `${JMX}/domain/:domain/:name`,
      handle: (call) => {
        const pattern = parseObjectName(`${call.parameters["domain"] ?? ""}:${call.parameters["name"] ?? ""}`);
        if (pattern.kind === "malformed") {
          throw new PlainError(400, "");
        }
        return listAnswer(list(call, pattern.matches));
      },
    },
    { method: "POST", path: `${JMX}/query`, handle: (call) => listAnswer(query(call, list)) },
    {
      method: "GET",
      path: `${JMX}/kernelquery`,
      handle: ({ headers }) =>
        acceptsJson(headers.accept)
          ? { status: 200, plain: { contentType: "application/json", text: JSON.stringify(KERNEL_QUERY) } }
          : { status: 406 },
    },
  ];
}

function query(call: RestCall, list: (call: RestCall, matches: (name: string) => boolean) => JsonValue): JsonValue {
  const patterns = readPatterns(call);
  const found: JsonValue[] = [];
  for (const text of patterns) {
    const pattern = parseObjectName(text);
    if (pattern.kind === "malformed") {
      throw new RestError(400, [{ exception: "MalformedObjectNameException", message: pattern.message }]);
    }
    const beans = list(call, pattern.matches);
    found.push(...(isList(beans) ? beans : []));
  }
  return found;
}

function readPatterns(call: RestCall): readonly string[] {
  const input = readJson(call);
  if (isList(input) && input.every((each) => typeof each === "string")) {
    return input;
  }
  throw new RestError(400, [{ exception: "IllegalArgumentException", message: "Expected a list of object names." }]);
}

function readJson(call: RestCall): JsonValue {
  requireJson(call);
  const reader = new JsonReader(bodyText(call.body));
  try {
    if (reader.peek() !== -1) {
      return reader.readValue();
    }
  } catch (error) {
    if (error instanceof JsonError) {
      throw new RestError(400, [
        { exception: "JsonParseException", message: error.withPlace },
        { exception: "CodehausJsonParseException", message: error.withSource },
      ]);
    }
    throw error;
  }
  const message = "java.io.EOFException: No content to map to Object due to end of input";
  throw new RestError(400, [{ exception: "JsonParseException", message }]);
}

function resources({ baseUrl }: RestCall): RestAnswer {
  const links = new Map<string, JsonValue>(
    [
      ["kernelquery", "kernelquery"],
      ["query", "query"],
      ["domain", "domain/{domain}"],
      ["domains", "domain"],
      ["bean", "domain/{domain}/{objectName}"],
    ].map(([name = "", path = ""]) => [name, `${baseUrl}${JMX}/${path}`]),
  );
  return mapAnswer([["resources", links]]);
}

function mapAnswer(members: readonly (readonly [string, JsonValue])[]): RestAnswer {
  return { status: 200, representation: { type: "management", shape: "map", value: new Map(members) } };
}

function listAnswer(value: JsonValue): RestAnswer {
  return { status: 200, representation: { type: "management", shape: "list", value } };
}
