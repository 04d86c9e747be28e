import { type Endpoint } from "../protocol/endpoint.ts";
import { parseFormBody } from "../protocol/form-body.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { secretText } from "../protocol/json-answer.ts";
import { TOKEN } from "../protocol/parameters.ts";
import { type IdentityServices } from "../services.ts";
import { authenticateCaller } from "./authenticate-caller.ts";
import { introspect } from "./introspect.ts";

const PATH = "/:tenant/oauth2/v2.0/introspect";

/** RFC 7662 for confidential clients: a public one could be anybody who tries tokens. */
export function introspectionEndpoint(services: IdentityServices): Endpoint {
  return {
    methods: ["POST"],
    path: PATH,
    answer: async ({ tenantSegment, headers, body }) => {
      const form = parseFormBody(headers["content-type"], body);
      const caller = await authenticateCaller(services, tenantSegment, form, headers.authorization);
      if (caller.authentication === "none") {
        throw new IdentityError(7000218);
      }
      return secretText(await introspect(services, caller, form.get(TOKEN)));
    },
  };
}
