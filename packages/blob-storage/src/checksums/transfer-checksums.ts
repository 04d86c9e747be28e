import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type AnswerHeaders } from "../operations/answer.ts";
import { readMd5 } from "../request/content-headers.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type CalculatedChecksums, type WantedChecksums } from "./passing-checksums.ts";

/** The checksums that a client sent along with a body. */
export type GivenChecksums = CalculatedChecksums;

const CRC64_BYTES = 8;

/**
 * Reads the checksums of a body (storage §13).
 *
 * @param md5  a further MD5 that takes precedence: `~blob-content-md5` of an upload
 * @throws StorageError `BothCrc64AndMd5HeaderPresent`, `InvalidMd5` or `InvalidHeaderValue`
 */
export function readGivenChecksums(headers: RequestHeaders, md5?: string): GivenChecksums {
  const given = readPair(headers, headers.find("content-md5"), "content-crc64");
  return { md5: md5 ?? given.md5, crc64: given.crc64 };
}

/** Those of a source that is given by URL. @throws StorageError as {@link readGivenChecksums} */
export function readSourceChecksums(headers: RequestHeaders): GivenChecksums {
  return readPair(headers, headers.findOwn("source-content-md5"), "source-content-crc64");
}

function readPair(headers: RequestHeaders, md5Text: string | undefined, crc64Name: string): GivenChecksums {
  const md5 = readMd5(md5Text);
  const crc64 = headers.findOwn(crc64Name);
  if (md5 !== undefined && crc64 !== undefined) {
    throw new StorageError("BothCrc64AndMd5HeaderPresent");
  }
  if (crc64 !== undefined && Buffer.from(crc64, "base64").length < CRC64_BYTES) {
    throw invalidHeader(headers.family + crc64Name, crc64);
  }
  return { md5, crc64 };
}

/** @throws StorageError `Md5Mismatch` or `Crc64Mismatch`, naming both values */
export function checkChecksums(given: GivenChecksums, calculated: CalculatedChecksums): void {
  if (given.md5 !== undefined && given.md5 !== calculated.md5) {
    throw new StorageError("Md5Mismatch", {
      elements: { UserSpecifiedMd5: given.md5, ServerCalculatedMd5: calculated.md5 ?? "" },
    });
  }
  if (given.crc64 !== undefined && given.crc64 !== calculated.crc64) {
    throw new StorageError("Crc64Mismatch", {
      elements: { UserSpecifiedCrc: given.crc64, ServerCalculatedCrc: calculated.crc64 ?? "" },
    });
  }
}

/** The checksum that answers a body: the one that the client sent, else the CRC-64. */
export function checksumHeaders({ md5, crc64 }: CalculatedChecksums): AnswerHeaders {
  return { "Content-MD5": md5, "~content-crc64": crc64 };
}

/** Of a part of a blob: the MD5 only when the client sent one, which costs twice what the CRC-64 does. */
export function wantedForPart(given: GivenChecksums): WantedChecksums {
  return { md5: given.md5 !== undefined, crc64: given.md5 === undefined };
}
