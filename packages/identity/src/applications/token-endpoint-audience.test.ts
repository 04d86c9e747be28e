import { expect, test } from "vitest";
import { audienceJudge } from "./token-endpoint-audience.ts";

const origins = new Set(["https://localhost:8443", "http://localhost:8400"]);
const contoso = { id: "0a5b2f80-6c1e-4d0b-9a51-6f1b3f6f0b11", domains: ["contoso.example"] };
const fabrikam = { id: "7d1f9d42-2f5e-4c39-8b54-0a4f7cf0e6aa", domains: ["fabrikam.example", "fabrikam.test"] };

test.each([1, 2])("what is remembered of an audience says nothing about whose it is, time %i", () => {
  const ofContoso = audienceJudge(origins, contoso);
  const ofFabrikam = audienceJudge(origins, fabrikam);
  const elsewhere = audienceJudge(new Set(["https://login.example"]), contoso);
  const judged = [
    `https://localhost:8443/${contoso.id.toUpperCase()}/oauth2/v2.0/token`,
    "http://localhost:8400/fabrikam.test/v2.0",
    "https://login.example/contoso.example/",
    "https://localhost:8443/common/oauth2/token?api-version=1.0",
    "https://localhost:8443/contoso.example/oauth2/token#x",
    "https://localhost:8443/contoso.example/userinfo",
    "https://localhost:8443/",
    "localhost",
    "",
  ].map((audience) => [ofContoso(audience), ofFabrikam(audience), elsewhere(audience)]);
  expect(judged).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, true, false],
    [false, false, false],
    [false, false, false],
    [false, false, false],
    [false, false, false],
    [false, false, false],
  ]);
});
