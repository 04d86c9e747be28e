import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { type TestAnswer } from "../testing/test-client.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.client.send("PUT", "/box?restype=container", { headers: { "~blob-public-access": "blob" } });
  await service.client.send("PUT", "/box/blob", { headers: { "~blob-type": "BlockBlob" }, body: "x" });
});
afterAll(() => service.close());

const target = "/?restype=service&comp=properties";
const set = (body: string): Promise<TestAnswer> =>
  service.client.send("PUT", target, { body: `<StorageServiceProperties>${body}</StorageServiceProperties>` });
const get = async (): Promise<string> => (await service.client.send("GET", target)).text;

describe("service properties", () => {
  test("are the defaults until they are set", async () => {
    expect(await get()).toContain("<StorageServiceProperties><Logging><Version>1.0</Version><Delete>false</Delete>");
  });

  test("keep what a change leaves out", async () => {
    const retention = "<DeleteRetentionPolicy><Enabled>true</Enabled><Days>7</Days></DeleteRetentionPolicy>";
    expect(await set(retention)).toMatchObject({ status: 202 });
    expect(await set("<DefaultServiceVersion>2020-02-10</DefaultServiceVersion>")).toMatchObject({ status: 202 });
    const text = await get();
    expect(text).toContain(retention);
    expect(text).toContain("<DefaultServiceVersion>2020-02-10</DefaultServiceVersion>");
  });

  test.each([
    ["an unknown section", "<Other/>", "InvalidXmlDocument"],
    [
      "too many days",
      "<DeleteRetentionPolicy><Enabled>true</Enabled><Days>366</Days></DeleteRetentionPolicy>",
      "InvalidXmlNodeValue",
    ],
    ["a version that is none", "<DefaultServiceVersion>new</DefaultServiceVersion>", "InvalidXmlNodeValue"],
    [
      "a version that requests could not have",
      "<DefaultServiceVersion>2020-13-01</DefaultServiceVersion>",
      "InvalidXmlNodeValue",
    ],
    [
      "a rule without origins",
      "<Cors><CorsRule><AllowedMethods>GET</AllowedMethods></CorsRule></Cors>",
      "InvalidXmlDocument",
    ],
  ] as const)("refuse %s", async (_what, body, code) => {
    expect(await set(body)).toMatchObject({ status: 400, code });
  });

  test("statistics are at the secondary only", async () => {
    expect(await service.client.send("GET", "/?restype=service&comp=stats")).toMatchObject({ status: 400 });
    const secondary = await service.client.send("GET", "/?restype=service&comp=stats", {
      host: `${testAccount}-secondary.localhost`,
    });
    expect(secondary.text).toContain("<GeoReplication><Status>live</Status>");
  });

  test("account information is at every address", async () => {
    for (const place of ["/", "/box", "/box/blob"]) {
      const answer = await service.client.send("GET", `${place}?restype=account&comp=properties`);
      expect(answer.headers).toMatchObject({ "x-store-account-kind": "StorageV2", "x-store-is-hns-enabled": "false" });
    }
  });
});

describe("rules for pages of other origins", () => {
  const rule = (origins: string, methods: string, allowed: string, exposed: string): string =>
    `<CorsRule><AllowedOrigins>${origins}</AllowedOrigins><AllowedMethods>${methods}</AllowedMethods><AllowedHeaders>${allowed}</AllowedHeaders><ExposedHeaders>${exposed}</ExposedHeaders><MaxAgeInSeconds>60</MaxAgeInSeconds></CorsRule>`;
  const ask = (headers: Record<string, string>): Promise<TestAnswer> =>
    service.client.send("OPTIONS", "/box/blob", { anonymous: true, headers });

  test("decide what a browser may do", async () => {
    await set(
      `<Cors>${rule("https://a.example,https://*.b.example", "GET,PUT", "x-ms-*,content-type", "x-ms-meta-a")}${rule("*", "GET", "", "")}</Cors>`,
    );
    const asked = {
      origin: "https://deep.x.b.example",
      "access-control-request-method": "PUT",
      "access-control-request-headers": "X-MS-Date, Content-Type",
    };
    const allowed = await ask(asked);
    expect(allowed).toMatchObject({
      status: 200,
      headers: {
        "access-control-allow-origin": "https://deep.x.b.example",
        "access-control-allow-methods": "PUT",
        "access-control-allow-headers": "X-MS-Date, Content-Type",
        "access-control-max-age": "60",
        "access-control-allow-credentials": "true",
      },
    });
    expect(await ask({ ...asked, "access-control-request-headers": "authorization" })).toMatchObject({
      status: 403,
      code: "CorsPreflightFailure",
    });
    expect(await ask({ ...asked, origin: "https://evilb.example" })).toMatchObject({ status: 403 });
    expect(await ask({ origin: "https://c.example", "access-control-request-method": "GET" })).toMatchObject({
      headers: { "access-control-allow-origin": "*" },
    });
    expect(await ask({})).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
    expect(await ask({ origin: "https://c.example" })).toMatchObject({ status: 400, code: "InvalidHeaderValue" });
    expect(await ask({ "access-control-request-method": "GET" })).toMatchObject({
      status: 400,
      code: "InvalidHeaderValue",
    });
  });

  test("are told with answers and errors", async () => {
    const read = (origin: string, name: string): Promise<TestAnswer> =>
      service.client.send("GET", `/box/${name}`, { anonymous: true, headers: { origin } });
    expect((await read("https://a.example", "blob")).headers).toMatchObject({
      "access-control-allow-origin": "https://a.example",
      "access-control-expose-headers": "x-ms-meta-a",
      vary: "Origin",
    });
    expect((await read("https://a.example", "none")).headers).toMatchObject({
      "access-control-allow-origin": "https://a.example",
    });
    await set("<Cors/>");
    expect((await read("https://a.example", "blob")).headers["access-control-allow-origin"]).toBeUndefined();
  });
});
