import { isLoopbackHost, isLoopbackRequest } from "@trefoil/http";
import { type CliToken } from "@trefoil/installation";
import { type IncomingMessage } from "node:http";

/** Whether a request comes from this machine with the token of the data folder, which only its owner can read. */
export function ownerCheck(token: CliToken): (request: { readonly raw: IncomingMessage }) => boolean {
  return ({ raw }) => {
    const [scheme, value] = raw.headers.authorization?.split(" ") ?? [];
    return (
      isLoopbackRequest(raw) &&
      isLoopbackHost(raw.headers.host) &&
      scheme?.toLowerCase() === "bearer" &&
      value !== undefined &&
      token.matches(value)
    );
  };
}
