/**
 * What is asked, server by server. A request is a function from a counter to bytes, so that each assertion is sent once;
 * `expect` is a text that every right answer has.
 *
 * @typedef {{name: string, expect: string, requests: Record<string, (index: number) => Buffer>}} Workload
 */

const FORM = "application/x-www-form-urlencoded";

/** @returns {readonly Workload[]} */
export function workloadsOf({ ours, peer, assertions }) {
  const token = (fields) => form(`/${ours.tenantId}/oauth2/v2.0/token`, fields);
  const secret = { client_id: ours.clientId, client_secret: ours.clientSecret };
  const peerSecret = { client_id: peer.clientId, client_secret: peer.clientSecret };
  const own = { grant_type: "client_credentials" };
  const bearer = (value) => ({ authorization: `Bearer ${value}` });
  const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  const asserted = (name, clientId) => (index) => ({
    ...own,
    client_id: clientId,
    client_assertion_type: assertionType,
    client_assertion: assertions[name][index % assertions[name].length],
  });
  const oursAsserted = asserted("trefoil", ours.clientId);
  const peerAsserted = asserted("oidc-provider", peer.assertionClientId);
  const scope = `${ours.resource}/.default`;
  const refresh = { grant_type: "refresh_token" };
  return [
    {
      name: "form",
      expect: "access_token",
      requests: { floor: always(form("/form", { ...own, ...secret, scope })) },
    },
    {
      name: "form and signature",
      expect: "access_token",
      requests: { floor: always(form("/signature", { ...own, ...secret, scope })) },
    },
    {
      name: "client credentials, secret",
      expect: "access_token",
      requests: {
        trefoil: always(token({ ...own, ...secret, scope })),
        "oidc-provider": always(form("/token", { ...own, ...peerSecret, scope: "Things.Read" })),
      },
    },
    {
      name: "refresh, two tokens",
      expect: "id_token",
      requests: {
        trefoil: always(
          token({
            ...refresh,
            ...secret,
            refresh_token: ours.refreshToken,
            scope: `openid ${ours.resource}/Things.Read`,
          }),
        ),
        "oidc-provider": always(form("/token", { ...refresh, ...peerSecret, refresh_token: peer.refreshToken })),
      },
    },
    {
      name: "introspection",
      expect: '"active":true',
      requests: {
        trefoil: always(form(`/${ours.tenantId}/oauth2/v2.0/introspect`, { ...secret, token: ours.accessToken })),
        "oidc-provider": always(form("/token/introspection", { ...peerSecret, token: peer.accessToken })),
      },
    },
    {
      name: "userinfo",
      expect: '"sub"',
      requests: {
        trefoil: always(get("/oidc/userinfo", bearer(ours.userInfoToken))),
        "oidc-provider": always(get("/me", bearer(peer.accessToken))),
      },
    },
    {
      name: "discovery",
      expect: "a",
      requests: {
        floor: always(get("/document")),
        trefoil: always(get(`/${ours.tenantId}/v2.0/.well-known/openid-configuration`)),
        "oidc-provider": always(get("/.well-known/openid-configuration")),
      },
    },
    {
      name: "keys",
      expect: "keys",
      requests: {
        trefoil: always(get(`/${ours.tenantId}/discovery/v2.0/keys`)),
        "oidc-provider": always(get("/jwks")),
      },
    },
    // After what needs stored tokens: the peer remembers assertions, and its memory has a thousand places.
    {
      name: "client credentials, assertion",
      expect: "access_token",
      requests: {
        trefoil: (index) => token({ ...oursAsserted(index), scope }),
        "oidc-provider": (index) => form("/token", { ...peerAsserted(index), scope: "Things.Read" }),
      },
    },
    {
      name: "password",
      expect: "token_type",
      requests: {
        floor: always(form("/password", { grant_type: "password" })),
        trefoil: always(
          token({
            grant_type: "password",
            client_id: ours.publicClientId,
            username: ours.username,
            password: ours.password,
            scope: `${ours.resource}/Things.Read`,
          }),
        ),
      },
    },
  ];
}

const always = (request) => () => request;

/** A whole POST of a form as bytes. */
export function form(target, fields, headers = {}) {
  const body = new URLSearchParams(fields).toString();
  return message("POST", target, { "content-type": FORM, "content-length": String(body.length), ...headers }, body);
}

function get(target, headers = {}) {
  return message("GET", target, headers, "");
}

function message(method, target, headers, body) {
  const lines = Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
