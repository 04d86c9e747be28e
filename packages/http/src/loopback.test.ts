import { expect, test } from "vitest";
import { addressesToBind, isLoopbackAddress, isLoopbackHost } from "./loopback.ts";

test.each([
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["128.0.0.1", false],
  ["::2", false],
  ["127.0.0.1.example.com", false],
  [undefined, false],
])("address %s: %s", (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

test.each([
  ["localhost", true],
  ["LOCALHOST:8400", true],
  ["account.localhost:10000", true],
  ["127.0.0.1:1", true],
  ["[::1]:7474", true],
  ["localhost.", true],
  ["localhost.example.com", false],
  ["notlocalhost", false],
  ["example.com:80", false],
  ["", false],
  [undefined, false],
])("host %s: %s", (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test("the default address stands for both families, others for themselves", () => {
  expect(addressesToBind("127.0.0.1")).toEqual(["127.0.0.1", "::1"]);
  expect(addressesToBind("0.0.0.0")).toEqual(["0.0.0.0"]);
});
