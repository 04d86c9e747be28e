import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, testAccount, testKey, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container");
  await service.client.send("PUT", "/other?restype=container");
  for (const name of ["box/a", "box/b", "box/c%20d", "other/a"]) {
    await service.client.send("PUT", `/${name}`, { body: name, headers: { "~blob-type": "BlockBlob" } });
  }
});
afterAll(() => service.close());

/** A signed request as it stands in a part. */
function part(method: string, target: string, headers: Record<string, string> = {}, sign = true): string {
  const full = `/${testAccount}${target}`;
  const all: Record<string, string> = { ...headers, "x-store-date": new Date(service.clock.now()).toUTCString() };
  if (sign) {
    all["authorization"] = `SharedKey ${testAccount}:${service.client.sign(method, full, all)}`;
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${full} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

function batch(requests: readonly string[], at = "/?comp=batch", type?: string): Promise<TestAnswer> {
  const parts = requests.map((request, index) =>
    [
      "--batch_x=1",
      "Content-Type: application/http",
      "Content-Transfer-Encoding: binary",
      `Content-ID: ${index}`,
      "",
      request,
    ].join("\r\n"),
  );
  const body = `${parts.join("\r\n")}\r\n--batch_x=1--\r\n`;
  return service.client.send("POST", at, {
    body,
    headers: { "content-type": type ?? 'Multipart/Mixed; Boundary="batch_x=1"' },
  });
}

/** Content-ID, where there is one, and status of each part of an answer, and the code of an error. */
function outcomes({ text, headers }: TestAnswer): string[] {
  const boundary = /boundary=(\S+)/u.exec(headers["content-type"] ?? "")?.[1] ?? "";
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((piece) => {
      const [, id, status, rest = ""] =
        /^\r\nContent-Type: application\/http\r\n(?:Content-ID: (\d+)\r\n)?\r\nHTTP\/1\.1 (\d+) [^\r]+\r\n([^]*)$/u.exec(
          piece,
        ) ?? [];
      return [id, status, /<Code>(\w+)</u.exec(rest)?.[1]].filter(Boolean).join(" ");
    });
}

describe("a batch", () => {
  test("deletes blobs, each judged on its own", async () => {
    const answer = await batch([
      part("DELETE", "/box/a"),
      part("DELETE", "/box/none"),
      part("DELETE", "/box/c%20d"),
      part("DELETE", "/box/b", {}, false),
      part("DELETE", "/box/b", { authorization: `SharedKey ${testAccount}:AAAA` }, false),
    ]);
    expect(answer.status).toBe(202);
    expect(outcomes(answer)).toEqual([
      "0 202",
      "1 404 BlobNotFound",
      "2 202",
      "3 401 NoAuthenticationInformation",
      "4 403 AuthenticationFailed",
    ]);
    expect(await service.client.send("HEAD", "/box/a")).toMatchObject({ status: 404 });
    expect(await service.client.send("HEAD", "/box/b")).toMatchObject({ status: 200 });
    expect(answer.text).toMatch(/x-store-error-code: BlobNotFound\r\n/u);
  });

  test("sets tiers, at a container too", async () => {
    const tier = part("PUT", "/box/b?comp=tier", { "x-store-access-tier": "Cool", "content-length": "0" });
    expect(outcomes(await batch([tier], "/box?restype=container&comp=batch"))).toEqual(["0 200"]);
    const head = await service.client.send("HEAD", "/box/b");
    expect(head.headers["x-store-access-tier"]).toBe("Cool");
  });

  test("at a container reaches no other one", async () => {
    const answer = await batch([part("DELETE", "/other/a")], "/box?restype=container&comp=batch");
    expect(outcomes(answer)).toEqual(["0 400 InvalidInput"]);
    expect(await service.client.send("HEAD", "/other/a")).toMatchObject({ status: 200 });
  });

  const anyDelete = (): string => part("DELETE", "/box/x");
  test.each([
    ["two kinds", () => batch([anyDelete(), part("PUT", "/box/b?comp=tier")]), "AllBatchSubRequestsShouldBeSameApi"],
    ["another operation", () => batch([part("PUT", "/box/b")]), "InvalidInput"],
    ["a container's deletion", () => batch([part("DELETE", "/box?restype=container")]), "InvalidInput"],
    ["a batch", () => batch([part("POST", "/?comp=batch")]), "InvalidInput"],
    ["257 parts", () => batch(Array.from({ length: 257 }, anyDelete)), "ExceedsMaxBatchRequestCount"],
    ["no parts", () => batch([]), "InvalidInput"],
    ["no request line", () => batch(["nonsense"]), "InvalidInput"],
    ["a broken header", () => batch(["DELETE /c/b HTTP/1.1\r\nno colon\r\n\r\n"]), "InvalidInput"],
    ["no boundary", () => batch([anyDelete()], undefined, "multipart/mixed"), "InvalidHeaderValue"],
    ["another type", () => batch([anyDelete()], undefined, "text/plain; boundary=x"), "InvalidHeaderValue"],
    [
      "two boundaries",
      () => batch([anyDelete()], undefined, "multipart/mixed; boundary=a; boundary=b"),
      "InvalidInput",
    ],
    ["another boundary", () => batch([anyDelete()], undefined, "multipart/mixed; boundary=other"), "InvalidInput"],
    ["an empty boundary", () => batch([anyDelete()], undefined, "multipart/mixed; boundary="), "InvalidHeaderValue"],
  ] as const)("refuses %s in one part, where clients look for it", async (_what, send, code) => {
    const answer = await send();
    expect(answer.status).toBe(202);
    expect(outcomes(answer)).toEqual([`400 ${code}`]);
    expect(answer.text).toContain(`x-store-error-code: ${code}\r\n`);
  });

  test("without a content type is no batch", async () => {
    const answer = await service.client.send("POST", "/?comp=batch", { body: "x" });
    expect(answer).toMatchObject({ status: 400, code: "MissingRequiredHeader" });
  });

  test("answers a part in the family of its headers", async () => {
    const date = new Date(service.clock.now()).toUTCString();
    const full = `/${testAccount}/box/none`;
    const client = service.client.with({ family: "x-ms-", key: testKey });
    const signature = client.sign("DELETE", full, { "x-ms-date": date });
    const request = `DELETE ${full} HTTP/1.1\r\nx-ms-date: ${date}\r\nAuthorization: SharedKey ${testAccount}:${signature}\r\n\r\n`;
    expect((await batch([request])).text).toContain("x-ms-error-code: BlobNotFound");
  });
});
