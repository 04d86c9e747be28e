import { StorageError } from "../errors/storage-error.ts";
import { type Query } from "../request/query.ts";
import { remembered } from "../request/remembered.ts";
import { type RequestHeaders } from "../request/request-headers.ts";

/** Host labels of the services that stand beside the blob service elsewhere and are no part of this one. */
const LABELS = /^[a-z0-9]{3,24}(?:-secondary)?\.(queue|table|file)\./iu;
const DATA_LAKE = /^[a-z0-9]{3,24}\.dfs\./iu;
/** Query parameters of the data-lake interface alone. */
const PARAMETERS = ["action", "resource"] as const;

const serviceOfHost = remembered(256, (host) => ({
  label: LABELS.exec(host)?.[1]?.toLowerCase(),
  isDataLake: DATA_LAKE.test(host),
}));

/**
 * What a request to one of the neighbouring services gets: a plain word instead of whatever its path would mean to
 * this one. Clients ask the data-lake interface whether names form a hierarchy; a 400 tells them that they don't
 * (storage-clients, "what these clients force").
 *
 * @returns `undefined` for a request to the blob service
 */
export function refusalOfOtherService(headers: RequestHeaders, query: Query): StorageError | undefined {
  const service = serviceOfHost(headers.find("host") ?? "");
  const label = service.label ?? (headers.find("dataserviceversion") === undefined ? undefined : "table");
  if (label !== undefined) {
    return new StorageError("APINotImplemented", {
      elements: { Service: label, Reason: "This server stores blobs; it has no other service." },
    });
  }
  const parameter = PARAMETERS.find((name) => query.has(name));
  if (parameter === undefined && !service.isDataLake) {
    return undefined;
  }
  return new StorageError("UnsupportedQueryParameter", {
    elements: {
      ...(parameter === undefined ? {} : { QueryParameterName: parameter }),
      Reason: "The account has no hierarchical namespace; the data-lake interface is not served.",
    },
  });
}
