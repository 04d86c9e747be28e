import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Statements over the transactional endpoint, nothing but `fetch`. */
export class GraphClient {
  /** @param {string} endpoint @param {string} username @param {string} password */
  constructor(endpoint, username, password) {
    this.endpoint = endpoint.replace(/\/$/, "");
    this.username = username;
    this.password = password;
  }

  get headers() {
    const credentials = Buffer.from(`${this.username}:${this.password}`).toString("base64");
    return { "Content-Type": "application/json", Accept: "application/json", Authorization: `Basic ${credentials}` };
  }

  /** @param {string} pathname @param {unknown} [body] */
  async call(pathname, body) {
    const method = body === undefined ? "GET" : "POST";
    return fetch(`${this.endpoint}${pathname}`, { method, headers: this.headers, body: body && JSON.stringify(body) });
  }

  /**
   * Runs one statement and commits. Answers rows as objects by column name.
   *
   * @param {string} statement @param {Record<string, unknown>} [parameters]
   */
  async run(statement, parameters = {}) {
    const answer = await this.call("/db/data/transaction/commit", { statements: [{ statement, parameters }] });
    const { results, errors } = await answer.json();
    if (errors.length > 0) {
      throw new Error(`${errors[0].code}: ${errors[0].message}`);
    }
    const [{ columns, data }] = results;
    return data.map(({ row }) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
  }
}

/**
 * A client that is allowed in: the first account's password must be changed before anything else, so the demo does
 * that once and keeps the new one in the data folder.
 *
 * @param {{ endpoint: string, username: string, password: string }} graph @param {string} dataDirectory
 */
export async function signIn(graph, dataDirectory) {
  const file = path.join(dataDirectory, "demo-graph-password");
  const kept = await readFile(file, "utf8").catch(() => graph.password);
  const client = new GraphClient(graph.endpoint, graph.username, kept);
  const me = await client.call(`/user/${graph.username}`);
  if (!me.ok) {
    throw new Error(`The graph refuses ${graph.username}: write its password to ${file} and run the demo again.`);
  }
  if ((await me.json()).password_change_required) {
    const password = randomBytes(18).toString("base64url");
    await writeFile(file, password, { mode: 0o600 });
    await client.call(`/user/${graph.username}/password`, { password });
    client.password = password;
  }
  return client;
}
