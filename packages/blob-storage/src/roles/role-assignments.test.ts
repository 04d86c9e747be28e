import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, testAccount, type TestService } from "../testing/start-test-service.ts";
import { listRoles, rolesOf } from "./role-assignments.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test("roles over the account count everywhere, roles over a container only there, until they are removed", async () => {
  const { metadata, parts } = service;
  const account_id = parts.accounts.get(testAccount).id;
  const inBox = { account_id, principal: "ada", container: "box", role: "Contributor" } as const;
  const everywhere = { account_id, principal: "ada", container: "", role: "Reader" } as const;
  await metadata.write("addRoleAssignment", inBox);
  await metadata.write("addRoleAssignment", everywhere);
  await metadata.write("addRoleAssignment", everywhere);
  expect(rolesOf(metadata, account_id, "ada", "box").toSorted()).toEqual(["Contributor", "Reader"]);
  expect(rolesOf(metadata, account_id, "ada", "other")).toEqual(["Reader"]);
  expect(rolesOf(metadata, account_id, "ada", undefined)).toEqual(["Reader"]);
  expect(rolesOf(metadata, account_id, "bob", "box")).toEqual([]);
  expect(rolesOf(metadata, account_id + 1, "ada", "box")).toEqual([]);
  await metadata.write("removeRoleAssignment", everywhere);
  expect(rolesOf(metadata, account_id, "ada", "other")).toEqual([]);
  expect(listRoles(metadata, account_id).map(({ role }) => role)).toEqual(["Contributor"]);
  await expect(metadata.write("removeRoleAssignment", everywhere)).rejects.toMatchObject({ code: "ResourceNotFound" });
});
