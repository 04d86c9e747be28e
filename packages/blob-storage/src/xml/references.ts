import { isXmlText } from "./write-xml.ts";

const named: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["apos", "'"],
  ["quot", '"'],
]);

/**
 * Text with its references replaced by what they stand for: the five names that need no declaration, and characters by
 * number (XML 1.0 §4.1, §4.6).
 *
 * @throws SyntaxError for one that stands for nothing, which makes a document not well formed
 */
export function decodeReferences(text: string): string {
  return text.replace(/&([^;]*);?/gu, (reference, name: string) => {
    const character = named.get(name) ?? characterOf(name);
    if (character === undefined || !reference.endsWith(";")) {
      throw new SyntaxError("a reference to nothing");
    }
    return character;
  });
}

function characterOf(name: string): string | undefined {
  const [, decimal, hexadecimal] = /^#(?:(\d{1,7})|x([\dA-Fa-f]{1,6}))$/u.exec(name) ?? [];
  const point = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  const isCharacter = point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff);
  const character = isCharacter ? String.fromCodePoint(point) : undefined;
  return character !== undefined && isXmlText(character) ? character : undefined;
}
