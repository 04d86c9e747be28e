/** How a client program and its test talk: JSON in on standard input, JSON out on standard output. */
export async function readInput() {
  const chunks = [];
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** @param {unknown} value */
export function answer(value) {
  process.stdout.write(JSON.stringify(value));
}
