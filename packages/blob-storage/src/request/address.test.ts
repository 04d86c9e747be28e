import { describe, expect, test } from "vitest";
import { type AddressInput, resolveAddress } from "./address.ts";

const accounts = new Set(["photos", "backup"]);

function resolve(change: Partial<AddressInput>): unknown {
  const { style, account, secondary, container, blob } = resolveAddress({
    host: "localhost:10000",
    path: "/",
    namesContainer: false,
    hostSuffixes: ["blob.localhost", "localhost", "blob.example.com"],
    exists: (name) => accounts.has(name),
    ...change,
  });
  return [style, account, ...(secondary ? ["secondary"] : []), container, blob].filter((part) => part !== undefined);
}

/** rulings, Objects 2 and storage §1 */
describe("the account of a request", () => {
  test.each([
    ["from the host", { host: "photos.localhost:10000", path: "/c/b" }, ["host", "photos", "c", "b"]],
    ["from the host with blob", { host: "photos.blob.localhost", path: "/c/b" }, ["host", "photos", "c", "b"]],
    ["from a configured suffix", { host: "PHOTOS.blob.example.com", path: "/c/b" }, ["host", "photos", "c", "b"]],
    ["unknown, from the host", { host: "nobody.localhost", path: "/c/b" }, ["host", "nobody", "c", "b"]],
    ["from the path, existing", { path: "/photos/c/b" }, ["path", "photos", "c", "b"]],
    [
      "from the path, named by the credentials",
      { path: "/nobody/c/b", credentialAccount: "nobody" },
      ["path", "nobody", "c", "b"],
    ],
    ["from the credentials", { path: "/c/b", credentialAccount: "photos" }, ["header", "photos", "c", "b"]],
    ["the only one", { path: "/c/b", onlyAccount: "photos" }, ["only", "photos", "c", "b"]],
    [
      "the secondary by host",
      { host: "photos-secondary.localhost", path: "/c/b" },
      ["host", "photos", "secondary", "c", "b"],
    ],
    ["the secondary by path", { path: "/photos-secondary/c/b" }, ["path", "photos", "secondary", "c", "b"]],
  ] as const)("%s", (_name, input, expected) => {
    expect(resolve(input)).toEqual(expected);
  });

  test("nobody's: not found", () => {
    expect(() => resolve({ path: "/c/b" })).toThrow(expect.objectContaining({ code: "ResourceNotFound" }));
  });
});

describe("the container and the blob", () => {
  const at = (path: string, namesContainer = false): unknown => resolve({ path, namesContainer });
  test.each([
    ["/photos", ["path", "photos"]],
    ["/photos/", ["path", "photos"]],
    ["/photos/c/", ["path", "photos", "c"]],
    ["/photos/c/a/b", ["path", "photos", "c", "a/b"]],
    ["/photos/c/a%20b%2Bc/%C3%BC", ["path", "photos", "c", "a b+c/ü"]],
    ["/photos/c/a+b", ["path", "photos", "c", "a+b"]],
    ["/photos/c/a%5Cb", ["path", "photos", "c", "a/b"]],
    ["/photos/c/%2525", ["path", "photos", "c", "%25"]],
    ["/photos/readme.txt", ["path", "photos", "$root", "readme.txt"]],
  ])("%s", (path, expected) => {
    expect(at(path)).toEqual(expected);
  });

  test("a single segment is a container when the query says so", () => {
    expect(at("/photos/c", true)).toEqual(["path", "photos", "c"]);
  });

  test("what is no UTF-8 is refused", () => {
    expect(() => at("/photos/c/%ff")).toThrow(expect.objectContaining({ code: "InvalidUri" }));
  });
});
