import { type Notification } from "@trefoil/graph-engine";
import { type JsonValue } from "../json/json-reader.ts";
import { type StatusCodePrefix } from "../status-codes.ts";

/** One element of `notifications`; the position is left out when unknown (graph-http §4.3). */
export function notificationRepresentation(
  notification: Notification,
  prefix: StatusCodePrefix,
): ReadonlyMap<string, JsonValue> {
  const { position } = notification;
  const members = new Map<string, JsonValue>([
    ["code", `${prefix}.${notification.code}`],
    ["severity", notification.severity],
    ["title", notification.title],
    ["description", notification.description],
  ]);
  if (position !== undefined) {
    members.set(
      "position",
      new Map<string, JsonValue>([
        ["offset", position.offset],
        ["line", position.line],
        ["column", position.column],
      ]),
    );
  }
  return members;
}
