import { randomUUID } from "node:crypto";
import { type ClientErrorAnswer, type ClientErrorStatus, type DirectRoute, type DirectService } from "@trefoil/http";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from "fastify";
import { type StorageErrorCode } from "./errors/error-table.ts";
import { errorDocument } from "./errors/render-error.ts";
import { StorageError } from "./errors/storage-error.ts";
import { defaultFamily } from "./request/header-family.ts";
import { newestVersion } from "./request/service-version.ts";
import { type BlobService } from "./service.ts";

/**
 * Puts the blob service at every path of the application that nothing else has taken: `/health/…`, `/metrics` and
 * `/management/…` are registered more precisely and win, so an account or container of those names is only reached
 * by a host name of its own (decisions/0030).
 *
 * Bodies are not parsed: operations read them from the connection as they come.
 */
export function registerBlobService(app: FastifyInstance, service: BlobService): void {
  const serve = serveWith(service);
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    // Before the body is looked at: a `Content-Type` that is none, as old clients send it, is only a value to keep.
    scope.addHook("onRequest", serve);
    scope.all("/*", serve);
    done();
  });
  // Methods that the router doesn't know end here.
  app.setNotFoundHandler(serve);
}

/**
 * The blob service past the router: it takes every request except those to the paths that the server has for itself,
 * which the application serves, or gives back when nothing of its own is there.
 */
export function directBlobService(service: BlobService): DirectService {
  const route: DirectRoute = {
    template: "/*",
    serve: (request, response, requestId) => service.serve(request, response, requestId),
  };
  return { find: ({ url = "" }) => (OWN_PATHS.test(url) ? undefined : route) };
}

const OWN_PATHS = /^\/(?:health|metrics|management)(?:[/?]|$)/u;

/** Options for the application that carries the service: URLs that the router cannot read are the service's too. */
export function blobServiceFastifyOptions(service: BlobService): FastifyServerOptions {
  const serve = serveWith(service);
  return { frameworkErrors: (_error, request, reply) => serve(request, reply) };
}

function serveWith(service: BlobService): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    reply.hijack();
    void service.serve(request.raw, reply.raw, request.id);
  };
}

const codes: Readonly<Record<ClientErrorStatus, StorageErrorCode>> = {
  400: "InvalidInput",
  408: "RequestTimeout",
  431: "RequestHeadersTooLarge",
};

/**
 * What is not readable as HTTP is answered in XML as well; it has no request id yet, so one is made, and no header
 * family, so it is answered in the one of requests without any.
 */
export function renderClientError(status: ClientErrorStatus): ClientErrorAnswer {
  const error = new StorageError(codes[status]);
  const requestId = randomUUID();
  return {
    contentType: "application/xml",
    body: errorDocument(error, requestId, Date.now()),
    headers: {
      [`${defaultFamily}request-id`]: requestId,
      [`${defaultFamily}version`]: newestVersion,
      [`${defaultFamily}error-code`]: error.code,
    },
  };
}
