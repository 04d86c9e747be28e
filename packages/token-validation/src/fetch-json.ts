import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getTls } from "node:https";

const TIMEOUT_MS = 5_000;
/** Metadata and keys are a few kilobytes. */
const LIMIT_BYTES = 1024 * 1024;

/**
 * Gets a JSON document. Redirects are not followed: metadata lies where the issuer says.
 *
 * @param certificateAuthorityPem  trusted instead of the system's authorities
 * @throws Error for anything but a JSON answer with status 200 in time
 */
export async function fetchJson(url: string, certificateAuthorityPem?: string): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { signal, headers: { accept: "application/json" } };
    const request = url.startsWith("https:")
      ? getTls(
          url,
          { ...options, ...(certificateAuthorityPem === undefined ? {} : { ca: certificateAuthorityPem }) },
          resolve,
        )
      : getPlain(url, options, resolve);
    request.on("error", reject);
  });
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`${url} answered ${response.statusCode}`);
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > LIMIT_BYTES) {
      response.destroy();
      throw new Error(`${url} answered more than ${LIMIT_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
