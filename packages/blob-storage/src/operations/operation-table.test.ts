import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operationTable } from "./operation-table.ts";

const page = readFileSync(new URL("../../../../docs/compatibility.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| ((?:service|container|blob|blockBlob|pageBlob|appendBlob)\.\w+) +\| (\w+) +\|/gmu)];
const documented = new Map(rows.map(([, name = "", state = ""]) => [name, state]));

test("docs/compatibility.md has a row for each operation, and no other", () => {
  const names = new Set(operationTable.map(({ name }) => name));
  expect([...documented.keys()].toSorted()).toEqual([...names].toSorted());
});

test("none of them is called absent: each has its function", () => {
  expect([...documented].filter(([, state]) => state === "absent")).toEqual([]);
});
