import { QueryError } from "@trefoil/cypher";
import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What LOAD CSV may read: nothing, files below `root`, every file, or files and the network. Whoever may send
 * statements reads with the server's rights and from its place in the network (cypher.md §2.1), so that each step is
 * its own switch.
 */
export interface LoadCsvPolicy {
  readonly urls: "none" | "root" | "file" | "any";
  /** The folder that file URLs are below when {@link urls} is `root`; an absolute path. */
  readonly root: string;
}

/** Where a text comes from, once the policy has been asked. */
export type CsvResource =
  | { readonly kind: "file"; readonly path: string; readonly name: string }
  | { readonly kind: "http"; readonly url: URL; readonly name: string };

/** Schemes that are URLs to 2.3, whether or not they can be read here. */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set(["file", "http", "https", "ftp", "jar", "mailto"]);

/**
 * Judges a URL by the policy.
 *
 * @throws  QueryError Statement.ExternalResourceFailure for what is no URL or may not be read
 */
export async function resolveCsvResource(text: string, policy: LoadCsvPolicy): Promise<CsvResource> {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/u.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    throw resourceFailure(`Invalid URL '${text}': no protocol: ${text}`);
  }
  if (!KNOWN_SCHEMES.has(scheme)) {
    throw resourceFailure(`Invalid URL '${text}': unknown protocol: ${scheme}`);
  }
  if (scheme === "ftp" || /^https?:\/*$/iu.test(text)) {
    throw cannotLoad(nameOf(text));
  }
  if (!URL.canParse(text)) {
    throw resourceFailure(`Invalid URL '${text}'`);
  }
  const url = new URL(text);
  const allowed = scheme === "file" ? policy.urls !== "none" : policy.urls === "any";
  if (!allowed) {
    throw refused(text, `configuration property 'graph.load_csv.urls' is ${policy.urls}`);
  }
  switch (scheme) {
    case "file":
      return await resolveFile(text, url, policy);
    case "http":
    case "https":
      return { kind: "http", url, name: nameOf(text) };
    default:
      throw refused(text, `loading resources via protocol '${scheme}' is not permitted`);
  }
}

/** How messages spell a URL: without the slashes of an empty authority. */
function nameOf(text: string): string {
  const colon = text.indexOf(":") + 1;
  return text.slice(0, colon).toLowerCase() + text.slice(colon).replace(/^\/\/(?=\/|$)/u, "");
}

async function resolveFile(text: string, url: URL, policy: LoadCsvPolicy): Promise<CsvResource> {
  if (url.host !== "") {
    throw refused(text, "file URL may not contain an authority section (i.e. it should be 'file:///')");
  }
  if (url.search !== "" || url.hash !== "") {
    throw refused(text, "file URL may not contain a query component");
  }
  let path: string;
  try {
    path = fileURLToPath(url);
  } catch {
    throw resourceFailure(`Invalid URL '${text}'`);
  }
  const name = nameOf(text);
  if (path.includes("\0")) {
    throw resourceFailure(`Invalid URL '${text}'`);
  }
  if (policy.urls !== "root") {
    return { kind: "file", path, name };
  }
  // Links are followed before judging, so that none leads out.
  const root = await realpath(policy.root).catch(() => undefined);
  const real = root === undefined ? undefined : await realpath(join(root, path)).catch(() => undefined);
  if (root === undefined || real === undefined) {
    throw cannotLoad(name);
  }
  if (!isBelow(real, root)) {
    throw refused(text, "file URL points outside configured import directory");
  }
  return { kind: "file", path: real, name };
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function cannotLoad(name: string, cause?: unknown): QueryError {
  return resourceFailure(`Couldn't load the external resource at: ${name}`, cause);
}

function refused(url: string, reason: string): QueryError {
  return resourceFailure(`Cannot load from URL '${url}': ${reason}`);
}

export function resourceFailure(message: string, cause?: unknown): QueryError {
  return new QueryError("TransientError.Statement.ExternalResourceFailure", message, { phase: "runtime", cause });
}
