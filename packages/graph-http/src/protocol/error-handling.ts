import { type FastifyError, type FastifyInstance } from "fastify";
import { type StatusCodePrefix } from "../status-codes.ts";
import { answerNotFound, answerServerError, errorsBody, JSON_TYPE } from "./exchange.ts";

/** The page of paths that are not served, and answers to what failed before or outside an endpoint. */
export function registerErrorHandling(app: FastifyInstance, prefix: StatusCodePrefix): void {
  app.setNotFoundHandler((_request, reply) => answerNotFound(reply));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) {
      request.log.error({ err: error }, "a request failed unexpectedly");
      answerServerError(reply);
      return;
    }
    const message = status === 413 ? "The request body is larger than this server takes." : error.message;
    void reply
      .code(status)
      .header("content-type", JSON_TYPE)
      .send(errorsBody(`${prefix}.ClientError.Request.Invalid`, message));
  });
}
