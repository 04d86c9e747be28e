/** Longer texts are calculated each time: what callers send must not fill the memory. */
const LONGEST = 512;

/**
 * The same pure function of a text, with its latest results kept: clients send the same host, version and signature
 * with every request.
 *
 * @param limit  how many are kept at most
 */
export function remembered<Result>(limit: number, calculate: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) {
      return before;
    }
    const result = calculate(text);
    if (text.length <= LONGEST) {
      if (known.size === limit) {
        known.clear();
      }
      known.set(text, result);
    }
    return result;
  };
}
