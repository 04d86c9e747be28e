import { type JsonValue } from "../json/json-reader.ts";
import { nodeOf, relationshipOf } from "./entity-id.ts";
import { type RestAnswer, type RestCall, type RestRoute } from "./rest-call.ts";
import { PlainError, RestError } from "./rest-error.ts";

/** What a database without server plugins says of them: there are none. Clients ask before they use any (graph-http §7). */
export const CATALOGUE_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "/db/data/ext", handle: () => NO_PLUGINS },
  { method: "GET", path: "/db/data/ext/:name", handle: refusePlugin },
  { method: "GET", path: "/db/data/ext/:name/graphdb/:method", handle: refusePlugin },
  { method: "POST", path: "/db/data/ext/:name/graphdb/:method", handle: refusePlugin },
  ...[
    { path: "/db/data/ext/:name/node/:id/:method", find: (call: RestCall) => nodeOf(call) },
    { path: "/db/data/ext/:name/relationship/:id/:method", find: relationshipOf },
  ].flatMap(({ path, find }): RestRoute[] => [
    { method: "GET", path, handle: refusePlugin },
    // What it would be called for is looked for first.
    { method: "POST", path, handle: (call) => (find(call), refusePlugin(call)) },
  ]),
];

const NO_PLUGINS: RestAnswer = {
  status: 200,
  representation: { type: "extensions", shape: "map", value: new Map<string, JsonValue>() },
};

function refusePlugin(call: RestCall): never {
  const name = call.parameters["name"];
  if (name === undefined) {
    throw new PlainError(404, "");
  }
  const message = `No such ServerPlugin: "${name}"`;
  throw new RestError(404, [{ exception: "PluginLookupException", message }]);
}
