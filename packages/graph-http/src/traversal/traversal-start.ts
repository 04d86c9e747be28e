import { idOf } from "../rest/entity-id.ts";
import { type RestCall } from "../rest/rest-call.ts";
import { nodeMissing } from "../rest/rest-error.ts";

/** The node in the path that a traversal or a search for ways begins at. @throws RestError 404 */
export function traversalStart(call: RestCall): number {
  const node = idOf(call.parameters["id"]);
  if (!call.unit.view.nodeExists(node)) {
    throw nodeMissing(404, node);
  }
  return node;
}
