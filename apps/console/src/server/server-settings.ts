import { type Mode } from "@trefoil/cypher";
import { type GraphServer } from "./graph-server.ts";
import { parseObject, textOf } from "./read-answer.ts";

/** What the console must know of its server before anyone has signed in. */
export interface ServerSettings {
  readonly mode: Mode;
  readonly asksForCredentials: boolean;
  readonly version: string;
}

export async function readServerSettings(server: GraphServer): Promise<ServerSettings> {
  const settings = parseObject((await server.send("/browser/settings.json")).text);
  return {
    mode: settings.get("languageMode") === "2.3" ? "2.3" : "modern",
    asksForCredentials: settings.get("asksForCredentials") !== false,
    version: textOf(settings.get("reportedVersion")),
  };
}
