/** Code points from the first to the second, both included. */
export type CodePointRange = readonly [from: number, to: number];

/** Ascending ranges that neither touch nor overlap. */
export type CharacterSet = readonly CodePointRange[];

export const MAX_CODE_POINT = 0x10ffff;

/** The set of what any of `ranges` holds. */
export function union(ranges: readonly CodePointRange[]): CharacterSet {
  const merged: CodePointRange[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) {
      merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    } else {
      merged.push([from, to]);
    }
  }
  return merged;
}

/** Everything that is not in `set`. */
export function complement(set: CharacterSet): CharacterSet {
  const rest: CodePointRange[] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) {
      rest.push([next, from - 1]);
    }
    next = to + 1;
  }
  return next > MAX_CODE_POINT ? rest : [...rest, [next, MAX_CODE_POINT]];
}

export function intersection(left: CharacterSet, right: CharacterSet): CharacterSet {
  return complement(union([...complement(left), ...complement(right)]));
}

/** With every ASCII letter in both cases. */
export function withBothAsciiCases(set: CharacterSet): CharacterSet {
  const shifted = [
    ...intersection(set, [[0x41, 0x5a]]).map(([from, to]): CodePointRange => [from + 32, to + 32]),
    ...intersection(set, [[0x61, 0x7a]]).map(([from, to]): CodePointRange => [from - 32, to - 32]),
  ];
  return union([...set, ...shifted]);
}

/** The code points that a JavaScript expression with the flag `u` matches one by one. */
export function setOf(expression: RegExp): CharacterSet {
  const ranges: CodePointRange[] = [];
  let start = -1;
  for (let point = 0; point <= MAX_CODE_POINT + 1; point += 1) {
    const isIn = point <= MAX_CODE_POINT && expression.test(String.fromCodePoint(point));
    if (isIn && start === -1) {
      start = point;
    } else if (!isIn && start !== -1) {
      ranges.push([start, point - 1]);
      start = -1;
    }
  }
  return ranges;
}

/** As the inside of a bracket expression of RE2. */
export function printSet(set: CharacterSet): string {
  return set.map(([from, to]) => (from === to ? printPoint(from) : `${printPoint(from)}-${printPoint(to)}`)).join("");
}

/** One code point in a form that means itself everywhere in RE2. */
export function printPoint(point: number): string {
  return (point >= 0x30 && point <= 0x39) || (point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a)
    ? String.fromCharCode(point)
    : `\\x{${point.toString(16)}}`;
}
