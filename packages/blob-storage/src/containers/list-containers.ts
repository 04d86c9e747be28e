import { containerEncryptionOf } from "../encryption/container-encryption.ts";
import { describeLease } from "../leases/lease-state.ts";
import { afterPrefix } from "../metadata/after-prefix.ts";
import { all } from "../metadata/steps.ts";
import { type ContainerRow } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import {
  BEHIND,
  type ListParameters,
  nextMarkerElement,
  type Position,
  readListParameters,
  readMarker,
} from "../operations/list-parameters.ts";
import { type OperationCall } from "../operations/operation.ts";
import { formatHttpDate } from "../request/http-date.ts";
import { type Metadata } from "../request/metadata-headers.ts";
import { type Services } from "../services.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { type ContainerPage, listContainerRows } from "./container-statements.ts";
import { deletionElements } from "../retention/deletion-elements.ts";
import { metadataElement } from "../xml/metadata-element.ts";

/** List Containers, in the order of their names (storage §8). */
export function listContainers({ request }: OperationCall, services: Services): Promise<Answer> {
  const list = readListParameters(request);
  const from = readMarker(list.marker) ?? { name: list.prefix, moment: "" };
  const page: ContainerPage = {
    accountId: request.account.id,
    from: from.name,
    fromVersion: from.moment,
    before: afterPrefix(list.prefix),
    withDeleted: list.include.has("deleted") ? 1 : 0,
    nowMs: request.nowMs,
    limit: list.limit + 1,
  };
  const rows = services.metadata.read(all(listContainerRows, page));
  const last = rows.length > list.limit ? rows[list.limit - 1] : undefined;
  const root = element(
    "EnumerationResults",
    textElement("Prefix", list.prefix === "" ? undefined : list.prefix) +
      textElement("Marker", list.marker) +
      textElement("MaxResults", list.maxResults) +
      element(
        "Containers",
        rows
          .slice(0, list.limit)
          .map((row) => containerElement(row, list.include.has("metadata"), request.nowMs))
          .join(""),
      ) +
      nextMarkerElement(last === undefined ? undefined : behind(last, list)),
    { ServiceEndpoint: `${request.serviceEndpoint}/` },
  );
  return Promise.resolve({ status: 200, headers: {}, body: { kind: "xml", text: xmlDocument(root) } });
}

/** Where deleted ones are listed, others of the same name may follow. */
function behind({ name, version }: ContainerRow, { include }: ListParameters): Position {
  return { name, moment: include.has("deleted") ? `${version}!` : BEHIND };
}

function containerElement(row: ContainerRow, withMetadata: boolean, nowMs: number): string {
  const lease = describeLease(row, nowMs);
  const encryption = containerEncryptionOf(row);
  const properties =
    textElement("Last-Modified", formatHttpDate(row.last_modified_ms)) +
    textElement("Etag", row.etag) +
    textElement("LeaseStatus", lease.status) +
    textElement("LeaseState", lease.state) +
    textElement("LeaseDuration", lease.duration) +
    textElement("PublicAccess", row.public_access) +
    textElement("HasImmutabilityPolicy", false) +
    textElement("HasLegalHold", false) +
    textElement("DefaultEncryptionScope", encryption.defaultScope) +
    textElement("DenyEncryptionScopeOverride", encryption.denyOverride) +
    deletionElements(row, nowMs) +
    textElement("ImmutableStorageWithVersioningEnabled", false);
  return element(
    "Container",
    textElement("Name", row.name) +
      (row.deleted_ms === null ? "" : textElement("Deleted", true) + textElement("Version", row.version)) +
      element("Properties", properties) +
      (withMetadata ? metadataElement(JSON.parse(row.metadata) as Metadata) : ""),
  );
}
