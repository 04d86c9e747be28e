import { type StorageError } from "../errors/storage-error.ts";
import { invalidNode } from "./read-query-request.ts";

/** A piece of an expression; the last one is the end. */
export interface Token {
  readonly kind: "word" | "quoted" | "string" | "number" | "symbol" | "end";
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:(?<word>[A-Za-z_][A-Za-z0-9_]*)|"(?<quoted>(?:[^"]|"")*)"|'(?<string>(?:[^']|'')*)'|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|(?<symbol><>|!=|<=|>=|\|\||[-+*/%=<>(),.;[\]]))/uy;

/** @throws StorageError `InvalidXmlNodeValue` of `Expression` at what is no token */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const start = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) {
      const at = start + (/^\s*/u.exec(text.slice(start))?.[0].length ?? 0);
      if (at < text.length) {
        throw unexpected(text, at, "a word, a number, a text or an operator");
      }
      tokens.push({ kind: "end", text: "", at });
      return tokens;
    }
    const kind = (["word", "quoted", "string", "number", "symbol"] as const).find((name) => groups[name] !== undefined);
    const raw = groups[kind ?? "symbol"] ?? "";
    const unescaped = kind === "quoted" ? raw.replaceAll('""', '"') : raw;
    const own = kind === "string" ? raw.replaceAll("''", "'") : unescaped;
    tokens.push({ kind: kind ?? "symbol", text: own, at: TOKEN.lastIndex - raw.length });
  }
}

/** An expression that is not one: where, and what should stand there. */
export function unexpected(text: string, at: number, wanted: string): StorageError {
  return invalidNode("Expression", text, `at character ${at + 1}: ${wanted} was expected`);
}
