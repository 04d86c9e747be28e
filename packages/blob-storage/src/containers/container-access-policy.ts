import { containerOf, requireContainer } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { gatherBody } from "../contents/gather-body.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { type Services } from "../services.ts";
import { parseSasTime } from "../shared-access-signature/sas-time.ts";
import { type StoredPolicy } from "../shared-access-signature/verify-sas.ts";
import { findChild, readXml, type XmlElement } from "../xml/read-xml.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { readPublicAccess } from "./container-operations.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
const POLICY_LIMIT = 5;
const ID_CHARACTERS = 64;

/** Get Container ACL: public access and stored access policies. */
export function getAccessPolicy({ request }: OperationCall, services: Services): Promise<Answer> {
  const container = requireContainer(request, services);
  checkLeaseOfRead(container, request.headers.findOwn("lease-id"), request.nowMs, "Container");
  const policies = JSON.parse(container.policies) as readonly StoredPolicy[];
  const text = xmlDocument(element("SignedIdentifiers", policies.map(policyElement).join("")));
  return Promise.resolve({
    status: 200,
    headers: {
      ...changeHeaders({ etag: container.etag, lastModifiedMs: container.last_modified_ms }),
      "~blob-public-access": container.public_access ?? undefined,
    },
    body: { kind: "xml", text },
  });
}

/** Set Container ACL: replaces both; what the request leaves out is cleared. */
export async function setAccessPolicy({ request, conditions }: OperationCall, services: Services): Promise<Answer> {
  const length = readContentLength(request.headers.find("content-length") ?? "0", BODY_LIMIT_BYTES);
  const body = await gatherBody(request.body, length);
  const policies = body.length === 0 ? [] : readPolicies(readXml(body, "SignedIdentifiers"));
  const changed = await services.metadata.write("setAccessPolicy", {
    accountId: request.account.id,
    name: containerOf(request),
    conditions,
    leaseId: request.headers.findOwn("lease-id"),
    publicAccess: readPublicAccess(request),
    policies: JSON.stringify(policies),
  });
  return { status: 200, headers: changeHeaders(changed) };
}

function readPolicies(root: XmlElement): readonly StoredPolicy[] {
  const policies = root.children.map(readPolicy);
  const ids = new Set(policies.map(({ id }) => id));
  if (policies.length > POLICY_LIMIT || ids.size < policies.length) {
    throw new StorageError("InvalidXmlDocument", {
      elements: { Reason: "at most five policies, each with its own id" },
    });
  }
  return policies;
}

function readPolicy(identifier: XmlElement): StoredPolicy {
  const id = findChild(identifier, "Id")?.text ?? "";
  const policy = findChild(identifier, "AccessPolicy");
  const field = (name: string): string => (policy === undefined ? "" : (findChild(policy, name)?.text ?? ""));
  const [start, expiry, permissions] = [field("Start"), field("Expiry"), field("Permission")];
  for (const [name, time] of [
    ["Start", start],
    ["Expiry", expiry],
  ] as const) {
    if (time !== "" && parseSasTime(time) === undefined) {
      throw invalidNode(name, time);
    }
  }
  if (identifier.name !== "SignedIdentifier" || id === "" || id.length > ID_CHARACTERS) {
    throw invalidNode("Id", id);
  }
  if (!/^[a-z]*$/u.test(permissions)) {
    throw invalidNode("Permission", permissions);
  }
  return { id, start, expiry, permissions };
}

function invalidNode(name: string, value: string): StorageError {
  return new StorageError("InvalidXmlNodeValue", { elements: { XmlNodeName: name, XmlNodeValue: value } });
}

function policyElement({ id, start, expiry, permissions }: StoredPolicy): string {
  const present = (name: string, value: string): string => textElement(name, value === "" ? undefined : value);
  const policy = present("Start", start) + present("Expiry", expiry) + present("Permission", permissions);
  return element("SignedIdentifier", textElement("Id", id) + element("AccessPolicy", policy));
}
