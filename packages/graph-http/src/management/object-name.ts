/** Whether an object name fits a pattern, or what is wrong with the pattern. */
export type ObjectNamePattern =
  | { readonly kind: "pattern"; readonly matches: (name: string) => boolean }
  | { readonly kind: "malformed"; readonly message: string };

/**
 * Reads `domain:key=value,…`, where `*` and `?` stand for anything in the domain and in values, and a `*` among the
 * pairs for any further ones.
 */
export function parseObjectName(text: string): ObjectNamePattern {
  const colon = text.indexOf(":");
  const domain = text.slice(0, colon);
  const pairs = text.slice(colon + 1).split(",");
  if (colon === -1 || pairs.join("") === "") {
    return { kind: "malformed", message: "Key properties cannot be empty" };
  }
  if (pairs.some((pair) => pair !== "*" && !/^[^=]+=./.test(pair))) {
    return { kind: "malformed", message: "Unterminated key property part" };
  }
  const wanted = pairs.filter((pair) => pair !== "*").map((pair) => wildcard(pair));
  const isOpen = pairs.includes("*");
  const matchesDomain = wildcard(domain);
  return {
    kind: "pattern",
    matches: (name) => {
      const at = name.indexOf(":");
      const given = name.slice(at + 1).split(",");
      return (
        matchesDomain.test(name.slice(0, at)) &&
        wanted.every((pattern) => given.some((pair) => pattern.test(pair))) &&
        (isOpen || given.length === wanted.length)
      );
    },
  };
}

function wildcard(text: string): RegExp {
  const escaped = text
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("?", ".")
    .replace(/\*+/g, ".*");
  return new RegExp(`^${escaped}$`);
}
