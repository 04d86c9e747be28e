import { CommandFailure, exitCodes } from "../command-failure.ts";

/** A blob as it is written on the command line: `container/name`; the name may have slashes. */
export interface BlobAddress {
  readonly container: string;
  readonly name: string;
}

/** @throws CommandFailure for something without a container or without a name */
export function parseBlobAddress(text: string): BlobAddress {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1) {
    throw new CommandFailure(`"${text}" is no blob: write container/name`, exitCodes.usage);
  }
  return { container: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The path of a container, or of a blob in it, below the account. */
export function pathOf({ container, name }: { readonly container: string; readonly name?: string }): string {
  const segments = name === undefined ? [container] : [container, ...name.split("/")];
  return `/${segments.map(encodeURIComponent).join("/")}`;
}
