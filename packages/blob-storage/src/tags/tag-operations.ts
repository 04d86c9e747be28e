import { blobWriteOf, getBlob, whichOf } from "../blobs/blob-address.ts";
import { updateBlobTags } from "../blobs/blob-statements.ts";
import { getBlobAt, type BlobWrite } from "../blobs/blob-commands.ts";
import { PassingChecksums } from "../checksums/passing-checksums.ts";
import { checkChecksums, readGivenChecksums } from "../checksums/transfer-checksums.ts";
import { checkReadConditions, checkWriteConditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { gatherBody } from "../contents/gather-body.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkLease, checkLeaseOfRead } from "../leases/lease-state.ts";
import { type Command } from "../metadata/command.ts";
import { run } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { type Services } from "../services.ts";
import { findChild, readXml, type XmlElement } from "../xml/read-xml.ts";
import { xmlDocument } from "../xml/write-xml.ts";
import { tagsElement } from "./tags-element.ts";
import { checkTags, parseTags, type Tags, tagsJson } from "./tags.ts";

const BODY_LIMIT_BYTES = 64 * 1024;

/** Get Blob Tags. */
export function getTags({ request, conditions }: OperationCall, services: Services): Promise<Answer> {
  const blob = services.metadata.read(getBlob(request));
  checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
  checkReadConditions(conditions, conditionTarget(blob));
  const text = xmlDocument(tagsElement(parseTags(blob.tags)));
  return Promise.resolve({ status: 200, headers: {}, body: { kind: "xml", text } });
}

/** Set Blob Tags: replaces all; neither ETag nor time of change follow (storage §13). */
export async function setTags(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const length = readContentLength(request.headers.find("content-length"), BODY_LIMIT_BYTES);
  const given = readGivenChecksums(request.headers);
  const body = await gatherBody(request.body, length);
  const passing = new PassingChecksums({ md5: given.md5 !== undefined, crc64: given.crc64 !== undefined });
  passing.update(body);
  checkChecksums(given, passing.finish());
  const tags = readTagsXml(readXml(body, "Tags"));
  await services.metadata.write("setBlobTags", {
    ...blobWriteOf(call),
    which: whichOf(request.query),
    tags: tagsJson(tags),
  });
  return { status: 204, headers: {} };
}

export interface SetTagsInput extends BlobWrite {
  /** A moment or a version's mark. */
  readonly which: string;
  readonly tags: string | null;
}

export const setBlobTags: Command<SetTagsInput, null> = function* (input, context) {
  const blob = yield* getBlobAt(input, input.which, context.nowMs);
  checkLease(blob, input.leaseId, context.nowMs, "Blob");
  checkWriteConditions(input.conditions, conditionTarget(blob));
  const key = { containerId: blob.container_id, name: blob.name, moment: blob.moment };
  yield* run(updateBlobTags, { ...key, tags: input.tags });
  return null;
};

function readTagsXml(root: XmlElement): Tags {
  const set = findChild(root, "TagSet");
  if (set === undefined || set.children.some(({ name }) => name !== "Tag")) {
    throw new StorageError("InvalidXmlDocument");
  }
  const text = (tag: XmlElement, name: string): string => findChild(tag, name)?.text ?? "";
  return checkTags(set.children.map((tag): [string, string] => [text(tag, "Key"), text(tag, "Value")]));
}
