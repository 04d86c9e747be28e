import { createHook } from "node:async_hooks";

let kept: object | undefined;

/**
 * Keeps one of the objects that `process.nextTick` makes for each of its calls. While a process starts there are moments
 * without any, and a collection then takes their hidden class with them; the engine sees a second one afterwards, takes
 * their members for unforeseeable and fills every later object by a call into its runtime, seven times for each request
 * (docs/decisions/0191). Has to come before the first collections.
 *
 * @returns the object; undefined where the platform no longer makes any
 */
export function keepTickObject(): object | undefined {
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === "TickObject") {
        kept = resource;
      }
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
  return kept;
}
