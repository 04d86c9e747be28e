/**
 * Closes what was opened, in the order given (last opened first); each step is tried, whatever became of the others.
 *
 * @param what  names the whole in the error: `"the object store"`
 * @throws      AggregateError of all that failed
 */
export async function closeAll(steps: readonly (() => Promise<void>)[], what: string): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${what} could not be closed cleanly`);
  }
}
