/** `EEE, dd MMM yyyy HH:mm:ss Z` in GMT, as `transaction.expires` is written (graph §2, graph-http §4.3). */
export function expiryDate(epochMs: number): string {
  return new Date(epochMs).toUTCString().replace("GMT", "+0000");
}
