/**
 * The same function of a row, calculated once for as long as the row is kept: what is read often is the same object
 * each time (see RecentReads), and nobody changes a row.
 */
export function perRow<Row extends object, Result>(calculate: (row: Row) => Result): (row: Row) => Result {
  const known = new WeakMap<Row, { readonly result: Result }>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) {
      return before.result;
    }
    const result = calculate(row);
    known.set(row, { result });
    return result;
  };
}
