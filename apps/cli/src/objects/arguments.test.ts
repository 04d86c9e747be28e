import { expect, test } from "vitest";
import { parseBlobAddress, pathOf } from "./blob-address.ts";
import { contentTypeOf } from "./content-types.ts";
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

test("files are typed by their ending", () => {
  expect(contentTypeOf("a/B.HTML")).toBe("text/html; charset=utf-8");
  expect(contentTypeOf("a/b")).toBe("application/octet-stream");
});
