/** One `key=value` of a properties file, with the line (from 1) on which it begins. */
export interface Property {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

/** What is not a properties file: `line` says where. */
export class PropertiesSyntaxError extends Error {
  override readonly name = "PropertiesSyntaxError";
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads Java's properties format: comments (`#`, `!`), continuation lines (an odd number of backslashes at the end;
 * leading blanks of the next line are dropped), keys ended by `=`, `:` or a blank, and the escapes `\t \n \r \f
 * \uXXXX` (any other escaped character stands for itself).
 *
 * @returns the properties in the file's order, repeated keys included
 * @throws  PropertiesSyntaxError for an incomplete `\u` escape, the only thing the format refuses
 * @source  java.util.Properties.load (Java SE 8 API)
 */
export function parseProperties(text: string): Property[] {
  return logicalLines(text).map(({ content, line }) => {
    const keyEnd = findKeyEnd(content);
    const separator = /^[ \t\f]*[=:]?[ \t\f]*/.exec(content.slice(keyEnd))?.[0] ?? "";
    return {
      key: unescape(content.slice(0, keyEnd), line),
      value: unescape(content.slice(keyEnd + separator.length), line),
      line,
    };
  });
}

/** The bytes of a properties file as text: UTF-8 (a byte order mark is dropped), or ISO 8859-1 when it is not that. */
export function decodeProperties(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  }
}

interface LogicalLine {
  readonly content: string;
  readonly line: number;
}

/** Natural lines joined where they continue; comments and empty lines are gone. */
function logicalLines(text: string): LogicalLine[] {
  const result: LogicalLine[] = [];
  let open: { content: string; line: number } | undefined;
  for (const [index, natural] of text.split(/\r\n|\r|\n/).entries()) {
    const content = natural.replace(/^[ \t\f]+/, "");
    if (open === undefined && (content === "" || content.startsWith("#") || content.startsWith("!"))) {
      continue;
    }
    open = { content: (open?.content ?? "") + content, line: open?.line ?? index + 1 };
    // Only the backslashes of this natural line count: those before were complete escapes.
    if (endsInOddBackslashes(content)) {
      open.content = open.content.slice(0, -1);
      continue;
    }
    result.push(open);
    open = undefined;
  }
  if (open !== undefined) {
    result.push(open);
  }
  return result;
}

function endsInOddBackslashes(content: string): boolean {
  return (/\\+$/.exec(content)?.[0].length ?? 0) % 2 === 1;
}

/** The position of the first unescaped `=`, `:` or blank, or the end. */
function findKeyEnd(content: string): number {
  for (let position = 0; position < content.length; position += 1) {
    const character = content.charAt(position);
    if (character === "\\") {
      position += 1;
    } else if ("=: \t\f".includes(character)) {
      return position;
    }
  }
  return content.length;
}

const controlEscapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };

function unescape(text: string, line: number): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{0,4})|([^]|$))/g, (_whole, hex: string | undefined, character = "") => {
    if (hex === undefined) {
      return controlEscapes[character as string] ?? (character as string);
    }
    if (hex.length < 4) {
      throw new PropertiesSyntaxError("\\u needs four hexadecimal digits", line);
    }
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
}
