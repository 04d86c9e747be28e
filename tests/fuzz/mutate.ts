import { type Mode, tokenize } from "@trefoil/cypher";
import { SEEDS } from "./seeds.ts";

/** Values at the edges of their types, and pieces that do not belong anywhere. */
const PIECES: readonly string[] = [
  "9223372036854775807",
  "-9223372036854775808",
  "9223372036854775808",
  "1e309",
  "-0.0",
  "(0.0 / 0.0)",
  "''",
  "'\\uD800'",
  "null",
  "true",
  "[]",
  "{}",
  "[null, [null]]",
  "{a: null}",
  "$nothing",
  "$missing",
  "{p}",
  "n",
  "a.p",
  "*",
  "..",
  "(",
  ")",
  "[",
  "]",
  "}",
  "-[*0..]-",
  "-->",
  "NOT",
  "IS NULL",
  "DISTINCT",
  "RETURN 1",
  "WITH *",
  "UNION",
  "date()",
  "duration({days: 1e18})",
  "range(0, 100000)",
  "toString(n)",
  "collect(x)",
  "count(*)",
  "substring('abc', -1)",
  "'a' * 3",
  "'x' =~ '(a+)+$'",
  "\u0000",
  "\u{1F600}",
];

/** Numbers below a bound, the same ones for the same seed. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/** Statement number `seed` of all that this runner can make, and the language it is in. */
export function statementOf(seed: number): { readonly text: string; readonly mode: Mode } {
  const random = randomFrom(seed);
  let parts = partsOf(pick(SEEDS, random));
  for (let times = random(5); times > 0; times--) {
    parts = mutate(parts, random);
  }
  return { text: parts.join(""), mode: random(4) === 0 ? "2.3" : "modern" };
}

const known = new Map<string, readonly string[]>();

/** Tokens with the blanks before them: what is moved about stays a word. */
function partsOf(text: string): readonly string[] {
  let parts = known.get(text);
  if (parts === undefined) {
    const ends = tokenize(text, { mode: "modern" }).map(({ end }) => end);
    parts = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
    known.set(text, parts);
  }
  return parts;
}

function mutate(parts: readonly string[], random: Random): readonly string[] {
  const at = random(parts.length + 1);
  const length = 1 + random(random(3) === 0 ? 8 : 2);
  const other = partsOf(pick(SEEDS, random));
  const from = random(other.length);
  switch (random(9)) {
    case 0:
      return parts.toSpliced(at, length);
    case 1:
      return parts.toSpliced(at, 0, ...parts.slice(at, at + length));
    case 2:
      return parts.toSpliced(at, 1, ` ${pick(PIECES, random)}`);
    case 3:
      return parts.toSpliced(at, 0, ` ${pick(PIECES, random)}`);
    case 4:
      return parts.toSpliced(at, length, ...other.slice(from, from + length));
    case 5:
      return [...parts.slice(0, at), ...other.slice(from)];
    case 6:
      return [...parts, " ", ...other];
    case 7: {
      // An expression in the place of another one of its kind.
      const places = parts.flatMap((part, place) => (/^\s*(?:\d|'|[a-z]+$)/u.test(part) ? [place] : []));
      return places.length === 0 ? parts : parts.toSpliced(pick(places, random), 1, ` ${pick(PIECES, random)}`);
    }
    default: {
      const depth = random(12) === 0 ? 400 : 1 + random(4);
      return parts.toSpliced(at, 1, " (".repeat(depth), parts[at] ?? " 1", ")".repeat(depth));
    }
  }
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[random(from.length)] as T;
}
