import { readFile } from "node:fs/promises";
import path from "node:path";

const user = { password: "a password of some length" };

/**
 * Fills our directory over the management interface, as `trefoil app` and `trefoil user` do: a resource, a confidential
 * client with a secret and a certificate, a public client, a user.
 *
 * @param {{port: number}} server
 * @param {string} folder            with the data folder below
 * @param {string} certificatePem    of the client
 * @returns what the requests need
 */
export async function fillDirectory(server, folder, certificatePem) {
  const data = path.join(folder, "data");
  const { identity } = JSON.parse(await readFile(path.join(data, "initial-credentials.json"), "utf8"));
  const token = (await readFile(path.join(data, "cli-token"), "utf8")).trim();
  const manage = async (target, body) => {
    const response = await fetch(`http://localhost:${server.port}/v1.0${target}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`${target}: ${response.status} ${await response.text()}`);
    }
    return response.status === 204 ? undefined : response.json();
  };
  const resource = "api://things";
  await manage("/applications", {
    displayName: "Things",
    identifierUris: [resource],
    api: { oauth2PermissionScopes: [{ value: "Things.Read", type: "User" }] },
  });
  const { id, appId } = await manage("/applications", { displayName: "Client" });
  const { secretText } = await manage(`/applications/${id}/addPassword`, {});
  await manage(`/applications/${id}/keyCredentials`, { key: certificatePem });
  const open = await manage("/applications", { displayName: "Public", isFallbackPublicClient: true });
  const username = `ada@${identity.tenantDomain}`;
  await manage("/users", { userPrincipalName: username, displayName: "Ada", passwordProfile: user });
  return {
    tenantId: identity.tenantId,
    resource,
    clientId: appId,
    clientSecret: secretText,
    publicClientId: open.appId,
    username,
    password: user.password,
  };
}
