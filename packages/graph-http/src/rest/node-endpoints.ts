import { nodeRepresentation } from "../formats/representation.ts";
import { nodeOf } from "./entity-id.ts";
import { propertiesFrom } from "./property-input.ts";
import {
  dataUrlOf,
  NO_CONTENT,
  representationContext,
  type RestAnswer,
  type RestCall,
  type RestRoute,
} from "./rest-call.ts";
import { RestError } from "./rest-error.ts";
import { readMap } from "./rest-input.ts";

/** Nodes (graph-http §7). */
export const NODE_ROUTES: readonly RestRoute[] = [
  { method: "POST", path: "/db/data/node", handle: createNode },
  { method: "GET", path: "/db/data/node/:id", handle: (call) => nodeAnswer(200, nodeOf(call), call) },
  { method: "DELETE", path: "/db/data/node/:id", handle: deleteNode },
];

function createNode(call: RestCall): RestAnswer {
  const properties = propertiesFrom(readMap(call), call.body);
  const { transaction } = call.unit;
  const node = transaction.createNode([]);
  for (const [name, value] of properties) {
    transaction.setNodeProperty(node, transaction.propertyKeyId(name), value);
  }
  call.unit.refresh();
  return nodeAnswer(201, node, call);
}

async function deleteNode(call: RestCall): Promise<RestAnswer> {
  const { unit } = call;
  await unit.lockNode(nodeOf(call));
  const node = nodeOf(call);
  if (unit.view.degree(node, "both", []) > 0) {
    throw new RestError(409, [
      {
        exception: "ConstraintViolationException",
        message: `The node with id ${node} cannot be deleted. Check that the node is orphaned before deletion.`,
      },
    ]);
  }
  unit.transaction.deleteNode(node);
  return NO_CONTENT;
}

/** A node in full; with its address when it is new. */
export function nodeAnswer(status: number, node: number, call: RestCall): RestAnswer {
  return {
    status,
    location: status === 201 ? `${dataUrlOf(call)}/node/${node}` : undefined,
    representation: {
      type: "node",
      shape: "entity",
      value: nodeRepresentation(node, representationContext(call)),
    },
  };
}
