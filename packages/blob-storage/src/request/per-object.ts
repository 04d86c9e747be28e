/**
 * The same function of an object, calculated once for as long as the object is kept. For objects that nobody changes:
 * rows that are read often (see RecentReads), settings, queries.
 */
export function perObject<Key extends object, Result>(calculate: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) {
      return before.result;
    }
    const result = calculate(key);
    known.set(key, { result });
    return result;
  };
}
