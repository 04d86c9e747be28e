import { type FastifyError, type FastifyReply, type FastifyRequest } from "fastify";
import { errorBody, type ErrorStyle } from "./error-response.ts";
import { createExchange } from "./exchange.ts";
import { everywhere, JSON_TYPE, NEVER_CACHED } from "./headers.ts";
import { IdentityError } from "./identity-error.ts";

/**
 * Answers requests whose address can't be matched with any route, too long or badly encoded, in the shape of every other
 * refusal. No route's own handler ever sees them.
 */
export function refuseUnroutable(style: ErrorStyle, now: () => number) {
  return (error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = createExchange({ headers: {} });
    const refusal = new IdentityError(9002313, { reason: "its address cannot be read" });
    void reply
      .status(error.statusCode === 414 ? 414 : 400)
      .headers({ ...everywhere(exchange.traceId), ...NEVER_CACHED })
      .type(JSON_TYPE)
      .send(JSON.stringify(errorBody(refusal, exchange, now(), style)));
  };
}
