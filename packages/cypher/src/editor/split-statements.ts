import { type Mode } from "../ast/node.ts";
import { lex } from "../lexer.ts";

/** One of several statements in a text, and where it begins there. */
export interface StatementText {
  readonly text: string;
  readonly offset: number;
}

/** Cuts a script at its semicolons, those in strings, names and comments excepted; empty statements are left out. */
export function splitStatements(text: string, options: { readonly mode: Mode }): readonly StatementText[] {
  const { kinds, starts, ends } = lex(text, options.mode);
  const statements: StatementText[] = [];
  let first: number | undefined;
  for (const [index, kind] of kinds.entries()) {
    const isBoundary = kind === ";" || kind === "end";
    if (!isBoundary) {
      first ??= starts[index];
    } else if (first !== undefined) {
      statements.push({ text: text.slice(first, ends[index - 1]), offset: first });
      first = undefined;
    }
  }
  return statements;
}
