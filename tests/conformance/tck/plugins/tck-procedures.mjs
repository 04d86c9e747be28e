// The TCK's procedures over HTTP: a table each, rows are looked up by the arguments.
export function register(context) {
  const defined = new Set();
  context.put("/procedures/{name}", ({ inputs, outputs, rows }, { parameters: { name } }) => {
    context.procedures.define({
      name,
      inputs,
      outputs,
      call: (args) =>
        rows
          .filter((row) => args.every((argument, index) => isSame(argument, row[index])))
          .map((row) => row.slice(inputs.length)),
    });
    defined.add(name);
  });
  context.delete("/procedures", () => {
    defined.forEach((name) => context.procedures.remove(name));
    defined.clear();
  });
}

/** Arguments were coerced already; integers come as bigint, those of the table as numbers. */
function isSame(argument, expected) {
  return typeof argument === "bigint" ? Number(argument) === expected : argument === expected;
}
