import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from "@codemirror/autocomplete";
import { expectedAt, type Mode, tokenize } from "@trefoil/cypher";
import { COMMANDS } from "../commands/command-table.ts";
import { GUIDES } from "../guides/guide-table.ts";
import { HELP_TOPICS } from "../guides/help-topics.ts";
import { type Catalogue } from "../server/catalogue.ts";
import { type Application } from "../state/application.ts";
import { nameText } from "../values/value-text.ts";

/** Completion by what the grammar expects at the cursor, filled with the names that this graph knows. */
export function completionSource(application: Application): CompletionSource {
  return (context) => {
    const text = context.state.doc.toString();
    if (/^\s*:/.test(text)) {
      return completeCommand(text.slice(0, context.pos));
    }
    return completeStatement(context, {
      text,
      mode: application.session.settings.value.mode,
      catalogue: application.catalogue.current.value,
      parameters: [...application.parameters.all.value.keys()],
    });
  };
}

export interface StatementContext {
  readonly text: string;
  readonly mode: Mode;
  readonly catalogue: Catalogue;
  readonly parameters: readonly string[];
}

function completeStatement(context: CompletionContext, statement: StatementContext): CompletionResult | null {
  const found = completionsAt(statement, context.pos);
  const typed = statement.text.slice(found.from, context.pos);
  const before = statement.text.charAt(found.from - 1);
  // An empty word is completed only where a name must follow, or when asked to.
  if (found.options.length === 0 || (typed === "" && !context.explicit && !":.$".includes(before || " "))) {
    return null;
  }
  // A dot ends a name but not that of a procedure.
  return { from: found.from, options: [...found.options], validFor: found.isDotted ? /^[\w.]*$/ : /^\w*$/ };
}

/** What can stand at `offset`, and from where on it would replace the text. */
export function completionsAt(
  { text, mode, catalogue, parameters }: StatementContext,
  offset: number,
): { readonly from: number; readonly options: readonly Completion[]; readonly isDotted: boolean } {
  const start = startOfStatement(text, offset, mode);
  const before = text.slice(start, offset);
  const procedure = /\bCALL\s+([\w.]*)$/i.exec(before);
  if (procedure !== null) {
    return {
      from: offset - (procedure[1] ?? "").length,
      options: catalogue.procedures.map(procedureOption),
      isDotted: true,
    };
  }
  const { from, expected } = expectedAt(before, before.length, { mode });
  const options = expected.flatMap((each): readonly Completion[] => {
    switch (each) {
      case "a label name":
        return isInRelationship(before, mode) ? typeOptions(catalogue) : labelOptions(catalogue);
      case "a relationship type name":
        return typeOptions(catalogue);
      case "a property key name":
        return catalogue.propertyKeys.map((name) => nameOption(name, "property", "property"));
      case "a parameter name":
        return parameters.map((name) => nameOption(name, "constant", "parameter"));
      case "an expression":
        return [
          ...variablesIn(before, mode).map((name) => nameOption(name, "variable", "variable", 2)),
          ...parameters.map((name) => ({ label: `$${name}`, type: "constant", detail: "parameter", boost: 1 })),
          ...catalogue.functions.map(functionOption),
        ];
      default:
        return /^[A-Za-z][A-Z a-z]*$/.test(each) && !/^an? /.test(each) ? [keywordOption(each)] : [];
    }
  });
  const unique = new Map(options.map((option) => [option.label, option]));
  return { from: start + from, options: [...unique.values()], isDotted: false };
}

function startOfStatement(text: string, offset: number, mode: Mode): number {
  const semicolons = tokenize(text.slice(0, offset), { mode }).filter(
    ({ category, start }) => category === "separator" && text.charAt(start) === ";",
  );
  return semicolons.at(-1)?.end ?? 0;
}

function variablesIn(text: string, mode: Mode): readonly string[] {
  const tokens = tokenize(text, { mode }).filter(({ category, end }) => category === "name" && end < text.length);
  return [...new Set(tokens.map(({ start, end }) => text.slice(start, end)))];
}

/** Types stand where labels do; only the bracket they are in tells which is meant. */
function isInRelationship(text: string, mode: Mode): boolean {
  let depth = 0;
  const tokens = tokenize(text, { mode });
  for (const [index, { start, category }] of [...tokens.entries()].toReversed()) {
    const sign = category === "bracket" ? text.charAt(start) : "";
    if ([")", "]", "}"].includes(sign)) {
      depth += 1;
    } else if (["(", "[", "{"].includes(sign)) {
      if (depth === 0) {
        return sign === "[" && text.charAt((tokens[index - 1]?.end ?? 0) - 1) === "-";
      }
      depth -= 1;
    }
  }
  return false;
}

function labelOptions({ labels }: Catalogue): readonly Completion[] {
  return labels.map(({ name, count }) => nameOption(name, "type", `${count} nodes`));
}

function typeOptions({ types }: Catalogue): readonly Completion[] {
  return types.map(({ name, count }) => nameOption(name, "type", `${count} relationships`));
}

function nameOption(name: string, type: string, detail: string, boost = 0): Completion {
  return { label: name, apply: nameText(name), type, detail, boost };
}

function keywordOption(word: string): Completion {
  return { label: word, type: "keyword", apply: `${word} `, boost: -1 };
}

function functionOption({ name, description }: Catalogue["functions"][number]): Completion {
  return { label: name, apply: `${name}(`, type: "function", detail: "function", info: description };
}

function procedureOption({ name, signature, description }: Catalogue["procedures"][number]): Completion {
  return { label: name, apply: `${name}()`, type: "function", info: `${signature}\n${description}` };
}

function completeCommand(before: string): CompletionResult | null {
  const word = /^\s*:([A-Za-z-]*)$/.exec(before);
  if (word !== null) {
    return {
      from: before.length - (word[1] ?? "").length,
      options: COMMANDS.map(({ name, summary }) => ({
        label: name,
        type: "keyword",
        apply: `${name} `,
        info: summary,
      })),
      validFor: /^[A-Za-z-]*$/,
    };
  }
  const argument = /^\s*:([A-Za-z-]+)\s+([\w-]*)$/.exec(before);
  const choices = ARGUMENTS[argument?.[1]?.toLowerCase() ?? ""];
  if (argument === null || choices === undefined) {
    return null;
  }
  return {
    from: before.length - (argument[2] ?? "").length,
    options: choices.map((label) => ({ label })),
    validFor: /^[\w-]*$/,
  };
}

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  play: GUIDES.map(({ name }) => name),
  help: HELP_TOPICS.map(({ name }) => name),
  server: ["status", "connect", "disconnect", "user", "change-password"],
  history: ["clear"],
  params: ["clear"],
  style: ["reset"],
};
