import { badInput } from "./rest-error.ts";
import { castMessage, type JsonMap } from "./rest-input.ts";

/**
 * The node that `to` names: what follows the last slash of its address, or a bare id.
 *
 * @throws RestError 400 when it names none
 */
export function endNodeId(input: JsonMap): number {
  const to = input.get("to");
  if (to === undefined || to === null) {
    throw badInput({ exception: "NullPointerException", message: null });
  }
  if (typeof to !== "string") {
    throw badInput({ exception: "ClassCastException", message: castMessage(to, "java.lang.String") });
  }
  const id = to.slice(to.lastIndexOf("/") + 1);
  if (!/^-?\d{1,19}$/.test(id)) {
    throw badInput({ exception: "NumberFormatException", message: `For input string: "${id}"` });
  }
  return Number(id);
}
