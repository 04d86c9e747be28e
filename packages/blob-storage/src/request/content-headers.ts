import { StorageError } from "../errors/storage-error.ts";
import { type ContentHeaders } from "../metadata/tables.ts";
import { type RequestHeaders } from "./request-headers.ts";

const MD5_BYTES = 16;

/** The `~blob-*` headers of a request that are stored with a blob, as they are: nothing here compares the MD5. */
export function readContentHeaders(headers: RequestHeaders): ContentHeaders {
  return {
    contentType: given(headers.findOwn("blob-content-type")),
    contentEncoding: given(headers.findOwn("blob-content-encoding")),
    contentLanguage: given(headers.findOwn("blob-content-language")),
    contentMd5: given(headers.findOwn("blob-content-md5")),
    contentDisposition: given(headers.findOwn("blob-content-disposition")),
    cacheControl: given(headers.findOwn("blob-cache-control")),
  };
}

/** The same for an upload, where the standard headers of the request stand in for those that are missing. */
export function readUploadHeaders(headers: RequestHeaders): ContentHeaders {
  const own = readContentHeaders(headers);
  return {
    contentType: own.contentType ?? given(headers.find("content-type")) ?? "application/octet-stream",
    contentEncoding: own.contentEncoding ?? given(headers.find("content-encoding")),
    contentLanguage: own.contentLanguage ?? given(headers.find("content-language")),
    contentMd5: own.contentMd5,
    contentDisposition: own.contentDisposition,
    cacheControl: own.cacheControl ?? given(headers.find("cache-control")),
  };
}

/** Some clients send a header without a value when they have nothing to say. */
function given(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

/** @throws StorageError `InvalidMd5` unless it is the base64 of 16 bytes */
export function readMd5(value: string | undefined): string | undefined {
  if (value === undefined || value === "") {
    return undefined;
  }
  const bytes = Buffer.from(value, "base64");
  if (bytes.length !== MD5_BYTES || bytes.toString("base64") !== value) {
    throw new StorageError("InvalidMd5");
  }
  return value;
}
