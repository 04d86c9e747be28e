import { getAccountRow, updateAccountProperties } from "../accounts/account-statements.ts";
import { gatherBody } from "../contents/gather-body.ts";
import { invalidQuery, StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { first, run } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { formatHttpDate } from "../request/http-date.ts";
import { type Services } from "../services.ts";
import { readXml } from "../xml/read-xml.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { propertiesElement, readServiceProperties, type ServiceProperties } from "./service-properties.ts";

const BODY_LIMIT_BYTES = 64 * 1024;

/** Get Blob Service Properties. */
export function getServiceProperties({ request }: OperationCall): Promise<Answer> {
  const text = xmlDocument(propertiesElement(request.account.properties));
  return Promise.resolve({ status: 200, headers: {}, body: { kind: "xml", text } });
}

/** Set Blob Service Properties. */
export async function setServiceProperties({ request }: OperationCall, services: Services): Promise<Answer> {
  const length = readContentLength(request.headers.find("content-length"), BODY_LIMIT_BYTES);
  const body = await gatherBody(request.body, length);
  const sections = readServiceProperties(readXml(body, "StorageServiceProperties"));
  await services.metadata.write("setServiceProperties", { accountId: request.account.id, sections });
  services.accounts.refresh();
  return { status: 202, headers: {} };
}

export interface SetServicePropertiesInput {
  readonly accountId: number;
  readonly sections: ServiceProperties;
}

export const setServicePropertiesRow: Command<SetServicePropertiesInput, null> = function* (input) {
  const account = yield* first(getAccountRow, { accountId: input.accountId });
  if (account === undefined) {
    throw new StorageError("ResourceNotFound");
  }
  const properties = { ...(JSON.parse(account.properties) as ServiceProperties), ...input.sections };
  yield* run(updateAccountProperties, { accountId: input.accountId, properties: JSON.stringify(properties) });
  return null;
};

/** Get Blob Service Stats: only the secondary endpoint has them. There is one copy, so it is always up to date. */
export function getServiceStatistics({ request }: OperationCall): Promise<Answer> {
  if (!request.address.secondary) {
    throw invalidQuery("comp", "stats", "only the secondary endpoint has statistics");
  }
  const replication = textElement("Status", "live") + textElement("LastSyncTime", formatHttpDate(request.nowMs));
  const text = xmlDocument(element("StorageServiceStats", element("GeoReplication", replication)));
  return Promise.resolve({ status: 200, headers: {}, body: { kind: "xml", text } });
}

/** Get Account Information, at any address of the account. */
export function getAccountInformation(): Promise<Answer> {
  const headers = {
    "~sku-name": "Standard_RAGRS",
    "~account-kind": "StorageV2",
    "~is-hns-enabled": "false",
  };
  return Promise.resolve({ status: 200, headers });
}
