import { StorageError } from "../errors/storage-error.ts";
import { type Address } from "./address.ts";

const SYSTEM_CONTAINERS: ReadonlySet<string> = new Set(["$root", "$web", "$logs", "$blobchangefeed"]);

/** Refuses an address with a name that nothing can have. */
export function checkNames({ container, blob }: Address): void {
  if (container !== undefined) {
    checkContainerName(container);
    if (blob !== undefined) {
      checkBlobName(container, blob);
    }
  }
}

/** Refuses a container name that the service would refuse (storage §15); those with `$` are the system's. */
export function checkContainerName(name: string): void {
  if (SYSTEM_CONTAINERS.has(name)) {
    return;
  }
  if (name.length < 3 || name.length > 63) {
    throw outOfRange();
  }
  if (!/^[a-z0-9](?:-?[a-z0-9])*$/u.test(name)) {
    throw new StorageError("InvalidResourceName");
  }
}

const NAME_CHARACTERS = 1024;
const NAME_SEGMENTS = 254;

/** Refuses a blob name that is too long, too deep, or holds a NUL, which no text column keeps. */
export function checkBlobName(container: string, name: string): void {
  if (name.length > NAME_CHARACTERS) {
    throw outOfRange();
  }
  const isDeep = name.length >= NAME_SEGMENTS && name.split("/").length > NAME_SEGMENTS;
  if (isDeep || name.includes("\0") || (container === "$root" && name.includes("/"))) {
    throw new StorageError("InvalidResourceName");
  }
}

function outOfRange(): StorageError {
  const message = "The specified resource name length is not within the permissible limits.";
  return new StorageError("OutOfRangeInput", { message });
}

/** Whether an account may have this name (storage §15). */
export function isAccountName(name: string): boolean {
  return /^[a-z0-9]{3,24}$/u.test(name);
}
