import { createHmac } from "node:crypto";

const VERSION = "2021-12-02";

/**
 * Requests to a blob server as bytes, opened by one account signature: nothing is signed while the clock runs. An upload
 * is in two parts, its head and a body that is not copied.
 *
 * @param {{account: string, key: string}} server
 */
export function blobRequests({ account, key }) {
  const sas = accountSas(account, key);
  const head = (method, target, headers) =>
    [
      `${method} /${account}/${target} HTTP/1.1`,
      "Host: 127.0.0.1",
      `x-ms-version: ${VERSION}`,
      ...headers,
      "",
      "",
    ].join("\r\n");
  return {
    createContainer: (name) => Buffer.from(head("PUT", `${name}?restype=container&${sas}`, ["Content-Length: 0"])),
    put: (name, body) => [
      Buffer.from(head("PUT", `${name}?${sas}`, ["x-ms-blob-type: BlockBlob", `Content-Length: ${body.length}`])),
      body,
    ],
    get: (name) => Buffer.from(head("GET", `${name}?${sas}`, [])),
    list: (name) => Buffer.from(head("GET", `${name}?restype=container&comp=list&maxresults=5000&${sas}`, [])),
  };
}

function accountSas(account, key) {
  const expiry = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, "Z");
  const fields = [account, "rwlc", "b", "sco", "", expiry, "", "", VERSION, "", ""];
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(fields.join("\n")).digest("base64");
  const parameters = { sv: VERSION, ss: "b", srt: "sco", sp: "rwlc", se: expiry, sig: signature };
  return new URLSearchParams(parameters).toString();
}
