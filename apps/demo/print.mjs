/** Output of the demo: plain lines, so that it can stand in the README as it is. */

/** @param {string} text */
export function heading(text) {
  process.stdout.write(`\n${text}\n`);
}

/** @param {string} label @param {string | number} value */
export function line(label, value) {
  process.stdout.write(`   ${label.padEnd(28)} ${value}\n`);
}
