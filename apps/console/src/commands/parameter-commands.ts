import { runStatement } from "../server/run-statement.ts";
import { type Application } from "../state/application.ts";
import { type FrameContent } from "../state/frame.ts";
import { parseExactJson } from "../values/exact-json.ts";
import { nameText } from "../values/value-text.ts";
import { valueJson } from "../values/value-json.ts";
import { type Command, notice } from "./command.ts";

/** Commands about the parameters that every statement is sent with. */
export const PARAMETER_COMMANDS: readonly Command[] = [
  {
    name: "param",
    usage: [":param name => expression", ":param name: value"],
    summary: "Sets a parameter to what an expression gives, such as `:param since => 1990 + 9`.",
    run: setOne,
  },
  {
    name: "params",
    usage: [":params", ":params {name: expression, …}", ":params clear"],
    summary: "Shows, replaces or removes all parameters.",
    run: async (application, argument) => {
      if (argument === "clear") {
        application.parameters.replaceAll(new Map());
      } else if (argument !== "") {
        return setAll(application, argument);
      }
      return { kind: "parameters" };
    },
  },
];

async function setOne(application: Application, argument: string): Promise<FrameContent> {
  if (argument === "") {
    return { kind: "parameters" };
  }
  const match = /^(?:`((?:[^`]|``)+)`|([\p{L}_][\p{L}\p{N}_]*))\s*(?:=>|:)\s*([\s\S]+)$/u.exec(argument);
  const name = match?.[1]?.replaceAll("``", "`") ?? match?.[2];
  const expression = match?.[3]?.replace(/;\s*$/, "");
  if (name === undefined || expression === undefined) {
    return notice("That is no parameter", "Write `:param name => expression`.");
  }
  const json = await evaluate(application, expression);
  if (typeof json !== "string") {
    return json;
  }
  application.parameters.set(name, json);
  return { kind: "parameters" };
}

async function setAll(application: Application, argument: string): Promise<FrameContent> {
  const json = await evaluate(application, argument);
  if (typeof json !== "string") {
    return json;
  }
  const value = parseExactJson(json);
  if (!(value instanceof Map)) {
    return notice("That is no map", "Write `:params {name: 'Ada', since: 1843}`.");
  }
  const members = [...(value as ReadonlyMap<string, unknown>)];
  // Each member is asked for by its name, so that every value keeps the text the server wrote.
  const texts = await Promise.all(members.map(([name]) => evaluate(application, `(${argument}).${nameText(name)}`)));
  application.parameters.replaceAll(
    new Map(members.flatMap(([name], index) => (typeof texts[index] === "string" ? [[name, texts[index]]] : []))),
  );
  return { kind: "parameters" };
}

/** The JSON text of what an expression gives, or what to show instead. */
async function evaluate(application: Application, expression: string): Promise<string | FrameContent> {
  const statement = `RETURN ${expression} AS value`;
  const parameters = application.parameters.all.value;
  const answer = await runStatement(application.server, { statement, parameters });
  if (answer.errors.length > 0) {
    return { kind: "errors", errors: answer.errors, statement };
  }
  if (answer.nodes.length > 0 || answer.relationships.length > 0) {
    return notice(
      "That is no value to send",
      "Nodes, relationships and paths cannot be parameters; use their ids or properties.",
    );
  }
  return valueJson(answer.rows[0]?.[0] ?? null);
}
