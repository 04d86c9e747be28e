import { type Position } from "@trefoil/cypher";
import { type Notification, type NotificationPosition } from "./notification.ts";
import { type SyntaxNode } from "./syntax-nodes.ts";

/** Where the statement's text has a place, as its era counts. */
export type Place = (position: Position) => NotificationPosition;

/** Looks at one node of the tree and adds what there is to say about it. */
export type Judge = (node: SyntaxNode, place: Place, found: Notification[]) => void;
