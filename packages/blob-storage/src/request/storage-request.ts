import { type IncomingMessage } from "node:http";
import { type Account } from "../accounts/account.ts";
import { type Address } from "./address.ts";
import { type Query } from "./query.ts";
import { type RequestHeaders } from "./request-headers.ts";
import { type ServiceVersion } from "./service-version.ts";

/** A request, parsed once at the edge; inner code reads nothing else of it. */
export interface StorageRequest {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  readonly headers: RequestHeaders;
  /** The path as sent, still percent-encoded: what is signed. */
  readonly path: string;
  readonly query: Query;
  readonly version: ServiceVersion;
  readonly address: Address;
  readonly account: Account;
  /** `http://host:port/account` or `http://account.host:port`, without a final slash. */
  readonly serviceEndpoint: string;
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** Made on this machine, and not through a proxy that speaks for somebody else. */
  readonly isLocal: boolean;
  /** When the request came in, milliseconds since 1970. */
  readonly nowMs: number;
  /** The body, unread. */
  readonly body: IncomingMessage;
}
