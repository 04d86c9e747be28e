import { type Conditions } from "../conditions/conditions.ts";
import { type ContentKey } from "../encryption/content-key.ts";
import { type ConditionRule } from "../conditions/read-conditions.ts";
import { type PublicAccess } from "../metadata/tables.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { type Authorization } from "../shared-key/authorization-header.ts";
import { type Answer } from "./answer.ts";
import { type Principal } from "./principal.ts";

export type Method = "GET" | "HEAD" | "PUT" | "POST" | "DELETE" | "OPTIONS";
export type Scope = "service" | "container" | "blob";

/** One operation of the service: a row of appendix A. */
export interface Operation {
  /** As in appendix A: `blockBlob.upload`. */
  readonly name: string;
  readonly methods: readonly Method[];
  readonly scope: Scope;
  readonly restype?: string | undefined;
  readonly comp?: string | undefined;
  /** An own header that tells it from others of the same address: the name without prefix, and its value if fixed. */
  readonly header?: readonly [name: string, value?: string] | undefined;
  /** A second header that has to be there as well. */
  readonly second?: readonly [name: string, value: string] | undefined;
  readonly conditions: ConditionRule;
  /** The public access under which nobody needs to sign in. */
  readonly anonymous?: PublicAccess | undefined;
  /** Gives the answer itself when there is nothing to wait for. */
  readonly run: (call: OperationCall, services: Services) => Answer | Promise<Answer>;
}

/** What an operation is called with; the caller is authenticated and authorized. */
export interface OperationCall {
  readonly request: StorageRequest;
  readonly conditions: Conditions;
  readonly principal: Principal;
  /**
   * The key that what it writes is encrypted with; of one that only reads, the client's own. See choose-content-key.ts.
   */
  readonly contentKey: ContentKey | undefined;
  /** False when the caller may only create: then something that exists is not replaced. */
  readonly mayOverwrite: boolean;
  /** Takes another request of the same connection down the whole ladder: a part of a batch. */
  readonly answerAnother: (request: StorageRequest, authorization: Authorization | undefined) => Promise<Answer>;
}
