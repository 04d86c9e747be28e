import { type ServerAnswer } from "../server/graph-server.ts";
import { type Command, notice } from "./command.ts";

/** Declared before the table that is made with it. */
const TAKES_BODY: ReadonlySet<string> = new Set(["post", "put"]);

/** `:get /db/data/` and its like: raw requests to this server, and their whole answers. */
export const REQUEST_COMMANDS: readonly Command[] = ["get", "post", "put", "delete", "head"].map((method) => ({
  name: method,
  usage: [`:${method} /db/data/${TAKES_BODY.has(method) ? " {…}" : ""}`],
  summary: `Sends a ${method.toUpperCase()} request to the server, with the credentials of whoever is signed in.`,
  run: async ({ server, catalogue }, argument) => {
    const [, path = "", body = ""] = /^(\S+)\s*([\s\S]*)$/.exec(argument) ?? [];
    const url = URL.canParse(path, location.origin) ? new URL(path, location.origin) : undefined;
    if (path === "" || url?.origin !== location.origin) {
      return notice("That is no address of this server", `Write \`:${method} /db/data/\`.`);
    }
    const isSent = TAKES_BODY.has(method) && body !== "";
    const answer = await server.send(url.pathname + url.search, {
      method: method.toUpperCase(),
      body: isSent ? body : undefined,
    });
    if (method !== "get" && method !== "head") {
      void catalogue.refresh();
    }
    return {
      kind: "request",
      line: `${method.toUpperCase()} ${url.pathname}${url.search}`,
      status: answer.status,
      headers: headerText(answer),
      body: prettyBody(answer.text),
    };
  },
}));

function headerText({ headers }: ServerAnswer): string {
  return [...headers].map(([name, value]) => `${name}: ${value}`).join("\n");
}

/** JSON is laid out anew, without touching its numbers; anything else stays. */
function prettyBody(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+/g, (token) => {
    switch (token) {
      case "{":
      case "[":
        depth += 1;
        return `${token}\n${"  ".repeat(depth)}`;
      case "}":
      case "]":
        depth -= 1;
        return `\n${"  ".repeat(depth)}${token}`;
      case ",":
        return `,\n${"  ".repeat(depth)}`;
      case ":":
        return ": ";
      default:
        return token.trim() === "" ? "" : token;
    }
  });
}
