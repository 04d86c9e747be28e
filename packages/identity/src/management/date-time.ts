/** ISO 8601 in UTC. */
export function dateTime(ms: number): string {
  return new Date(ms).toISOString();
}
