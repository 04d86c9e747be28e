import { isLoopbackHost, isLoopbackRequest } from "@trefoil/http";
import { type ManagementGuard } from "@trefoil/identity";
import { type CliToken } from "@trefoil/installation";

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Lets in who is on this machine and holds the token of the data folder, which only its owner can read. A page of a
 * foreign site that had its name resolved to this machine is kept out by the `Host` header. (rulings, Identity 10)
 */
export function createManagementGuard(cliToken: CliToken): ManagementGuard {
  return (request) => {
    const token = BEARER.exec(request.headers.authorization ?? "")?.[1];
    return (
      token !== undefined &&
      isLoopbackRequest(request.raw) &&
      isLoopbackHost(request.headers.host) &&
      cliToken.matches(token)
    );
  };
}
