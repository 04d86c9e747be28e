import { hash } from "@node-rs/argon2";
import { beforeEach, expect, test, vi } from "vitest";
import { PasswordHashing } from "./password-hashing.ts";

vi.mock("node:os", async (original) => ({ ...(await original<object>()), availableParallelism: () => processors }));
vi.mock("@node-rs/argon2", () => ({ hash: vi.fn<typeof hash>() }));

let processors = 0;
/** Ends of the hashes that have begun, in their order. */
const ends: (() => void)[] = [];

beforeEach(() => {
  ends.length = 0;
  vi.mocked(hash).mockImplementation(
    (password) => new Promise((resolve) => ends.push(() => resolve(`hash of ${String(password)}`))),
  );
});

const cost = { memoryKib: 8, iterations: 1 };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How many hashes begin when ten are wanted. */
async function begunBy(hashing: PasswordHashing): Promise<number> {
  ends.length = 0;
  Array.from({ length: 10 }, (_, place) => void hashing.hash(`password ${place}`));
  await settled();
  return ends.length;
}

test("one processor is left to signatures, and more than two are not taken without being asked for", async () => {
  const begun: number[] = [];
  for (processors of [1, 2, 3, 8]) {
    begun.push(await begunBy(new PasswordHashing(cost)));
  }
  expect(begun).toEqual([1, 1, 2, 2]);
  expect(await begunBy(new PasswordHashing(cost, 5))).toBe(5);
});

test("who waits is served in turn, a failure before him or not", async () => {
  const hashing = new PasswordHashing(cost, 1);
  vi.mocked(hash).mockRejectedValueOnce(new Error("no memory"));
  const first = hashing.hash("first");
  const second = hashing.hash("second");
  const third = hashing.hash("third");
  await expect(first).rejects.toThrow("no memory");
  await settled();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await second).toBe("hash of second");
  await settled();
  ends[1]?.();
  expect(await third).toBe("hash of third");
});

test("who comes when a hundred wait is told to try again", async () => {
  const hashing = new PasswordHashing(cost, 1);
  Array.from({ length: 101 }, () => void hashing.hash("x"));
  await expect(hashing.hash("x")).rejects.toMatchObject({ numbers: [90033] });
});
