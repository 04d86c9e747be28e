import { expect, test } from "vitest";
import { StrictTransport } from "./strict-transport.ts";

test.each([
  ["https://login.contoso.example", true],
  ["https://login.contoso.example:8443", true],
  ["http://login.contoso.example", false],
  ["https://localhost:8443", false],
  ["https://id.localhost:8443", false],
  ["https://192.168.1.5", false],
  ["https://[::1]:8443", false],
])("%s promises TLS for ever: %s", (publicUrl, expected) => {
  expect(new StrictTransport().isStrict(publicUrl)).toBe(expected);
});
