import { type FastifyBaseLogger } from "fastify";
import { type IncomingHttpHeaders } from "node:http";
import { type Exchange } from "./exchange.ts";

/** A request to an endpoint, whichever way it came: past the framework or through it (decisions/0160). */
export interface EndpointRequest {
  /** The tenant segment of the address; empty where the path has none. */
  readonly tenantSegment: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty without one. */
  readonly body: string;
  readonly ipAddress: string | undefined;
  readonly exchange: Exchange;
  readonly log: Pick<FastifyBaseLogger, "info" | "error">;
}

/** Headers by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** What an endpoint answers. */
export interface EndpointAnswer {
  /** 200 when absent. */
  readonly status?: number;
  readonly headers: AnswerHeaders;
  /** Text, or the bytes of what many are told. */
  readonly body: string | Buffer;
}

/** One endpoint of the protocol that applications ask all the time. */
export interface Endpoint {
  readonly methods: readonly ("GET" | "POST")[];
  /** As the router takes it: at most one parameter, `:tenant`, and that the first segment. */
  readonly path: string;
  /** An error word of the endpoint's own: metadata calls an unknown tenant `invalid_tenant`. */
  readonly errorWord?: string;
  /** @param more  headers that are added to whatever is answered, refusals too */
  answer(request: EndpointRequest, more: Record<string, string>): EndpointAnswer | Promise<EndpointAnswer>;
}
