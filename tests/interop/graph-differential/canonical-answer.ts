/** What of an answer has to agree. */
export interface CanonicalAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly location: string | null;
  readonly body: unknown;
}

/** One server's names for what was made: id → the order it was made in. */
export interface Names {
  readonly base: string;
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
}

/**
 * An answer without what may differ: addresses and ids by the order of making, texts of messages, stack traces, the
 * order of lists at the top, parsed numbers. Breakdowns of the model server (an empty 500) say only that.
 */
export function canonicalAnswer(status: number, headers: Headers, text: string, names: Names): CanonicalAnswer {
  const isPage = headers.get("content-type")?.includes("text/html") === true || text === "";
  return {
    status,
    contentType: isPage ? null : (headers.get("content-type")?.replaceAll(" ", "").toLowerCase() ?? null),
    location: headers.has("location") ? renamed(headers.get("location") ?? "", names) : null,
    body: isPage ? null : canonical(parsed(text), names, ""),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function canonical(value: unknown, names: Names, key: string): unknown {
  if (typeof value === "string") {
    if (key === "message" || key === "stackTrace" || key === "detail") {
      return key === "message" && value.startsWith("{") ? canonical(parsed(value), names, "") : "…";
    }
    return renamed(value, names);
  }
  if (Array.isArray(value)) {
    const elements = value.map((element) => canonical(element, names, ""));
    return key === "stackTrace" ? "…" : key === "labels" || key === "" ? sorted(elements) : elements;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([name]) => name !== "cause" && name !== "detail" && name !== "expires" && name !== "notifications")
      .map(([name, member]): [string, unknown] => [
        name,
        name === "id" && "labels" in value
          ? "node"
          : name === "id" && "type" in value
            ? "relationship"
            : canonical(member, names, name),
      ]);
    return Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : 1)));
  }
  return value;
}

function sorted(elements: readonly unknown[]): unknown[] {
  return elements.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

function renamed(text: string, { base, nodes, relationships }: Names): string {
  return text
    .replaceAll(base, "{base}")
    .replace(/(\/index\/node\/.*\/)(\d+)$/, (_, path: string, id: string) => `${path}n${nodes.indexOf(id)}`)
    .replace(
      /(\/index\/relationship\/.*\/)(\d+)$/,
      (_, path: string, id: string) => `${path}r${relationships.indexOf(id)}`,
    )
    .replace(/\/node\/(\d+)/g, (_, id: string) => `/node/n${nodes.indexOf(id)}`)
    .replace(/\/relationship\/(\d+)/g, (_, id: string) => `/relationship/r${relationships.indexOf(id)}`);
}
