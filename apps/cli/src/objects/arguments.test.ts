import { expect, test } from "vitest";
import { parseBlobAddress, pathOf } from "./blob-address.ts";
import { contentTypeOf } from "./content-types.ts";
import { describeQuota } from "./account.ts";
import { parseQuota } from "./quota-command.ts";
import { parseDuration } from "./sas-command.ts";

test("a blob is written as container/name, and its path keeps every character", () => {
  const address = parseBlobAddress("box/a b/../ü?#%/c");
  expect(address).toEqual({ container: "box", name: "a b/../ü?#%/c" });
  expect(pathOf(address)).toBe("/box/a%20b/../%C3%BC%3F%23%25/c");
  expect(pathOf({ container: "$web" })).toBe("/%24web");
});

test.each(["", "box", "/name", "box/"])("%j is no blob", (text) => {
  expect(() => parseBlobAddress(text)).toThrow(/container\/name/);
});

test.each([
  ["90s", 90],
  ["30m", 1_800],
  ["12h", 43_200],
  ["7d", 604_800],
])("%s is %i seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each(["", "3", "h", "0d", "-1h", "1w", "1.5h"])("%j is no duration", (text) => {
  expect(() => parseDuration(text)).toThrow(/duration/);
});

test.each([
  ["none", null],
  ["0", 0],
  ["4096", 4096],
  ["500m", 524_288_000],
  ["10GiB", 10_737_418_240],
  ["2T", 2_199_023_255_552],
])("%s is a quota of %s bytes", (text, bytes) => {
  expect(parseQuota(text)).toBe(bytes);
});

test.each(["", "-1", "1.5g", "1x", "g", "99999999999t"])("%j is no quota", (text) => {
  expect(() => parseQuota(text)).toThrow(/quota/);
});

test("a quota is shown with what is used of it", () => {
  const account = { name: "a", endpoint: "", createdAt: "", versioning: false, publicAccess: true };
  expect(describeQuota({ ...account, quotaBytes: 10_737_418_240, usedBytes: 1_600_000 })).toBe("1.5 MiB of 10 GiB");
  expect(describeQuota({ ...account, quotaBytes: 512, usedBytes: 0 })).toBe("0 bytes of 512 bytes");
  expect(describeQuota({ ...account, quotaBytes: null, usedBytes: null })).toBe("none");
});

test("files are typed by their ending", () => {
  expect(contentTypeOf("a/B.HTML")).toBe("text/html; charset=utf-8");
  expect(contentTypeOf("a/b")).toBe("application/octet-stream");
});
