import { type JsonValue } from "../json/json-reader.ts";
import { type RestCall } from "../rest/rest-call.ts";

/** What the management beans tell of, besides the call's view of the graph. */
export interface BeanSources {
  readonly reportedVersion: string;
  readonly startedAtMs: number;
  readonly openTransactions: () => number;
}

/** One bean under its object name, as the consoles and clients of the era read them (graph-http §8). */
export interface Bean {
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

interface Attribute {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly value: JsonValue;
}

export const BEAN_DOMAIN = "org.neo4j";
/** The query for all beans of this database. */
export const KERNEL_QUERY: string = `${BEAN_DOMAIN}:instance=kernel#0,name=*`;

export function beansOf(sources: BeanSources, { unit }: RestCall): readonly Bean[] {
  const { view, tokens } = unit;
  return [
    bean("Kernel", "The database", [
      [
        "KernelVersion",
        "The version it answers with",
        "java.lang.String",
        `neo4j-kernel, version: ${sources.reportedVersion}`,
      ],
      ["MBeanQuery", "The query for all these beans", "javax.management.ObjectName", KERNEL_QUERY],
      ["KernelStartTime", "When it was started", "java.util.Date", dateText(sources.startedAtMs)],
      ["DatabaseName", "Its name", "java.lang.String", "graph.db"],
      ["ReadOnly", "Whether nothing can be written", "boolean", false],
    ]),
    bean("Primitive count", "How much the graph holds", [
      ["NumberOfNodeIdsInUse", "Nodes", "long", view.nodeCount()],
      ["NumberOfRelationshipIdsInUse", "Relationships", "long", view.relationshipCount()],
      ["NumberOfPropertyIdsInUse", "Property keys", "long", tokens.propertyKeys.size],
      ["NumberOfRelationshipTypeIdsInUse", "Relationship types", "long", tokens.relationshipTypes.size],
    ]),
    bean("Transactions", "Transactions of clients", [
      ["NumberOfOpenTransactions", "Open now", "long", sources.openTransactions()],
    ]),
    bean("Configuration", "Settings that clients may see", []),
  ];
}

/** A bean as the answers show it; its flags are texts there, with a blank after `false`. */
export function beanRepresentation({ name, description, attributes }: Bean): ReadonlyMap<string, JsonValue> {
  return new Map<string, JsonValue>([
    ["name", name],
    ["description", description],
    ["attributes", attributes.map(attributeRepresentation)],
    ["url", `${BEAN_DOMAIN}/${encodeURIComponent(name.slice(BEAN_DOMAIN.length + 1)).replaceAll("%20", "+")}`],
  ]);
}

function attributeRepresentation({ name, description, type, value }: Attribute): ReadonlyMap<string, JsonValue> {
  return new Map<string, JsonValue>([
    ["isIs", type === "boolean" ? "true" : "false "],
    ["name", name],
    ["description", description],
    ["type", type],
    ["isReadable", "true"],
    ["value", value],
    ["isWriteable", "false "],
  ]);
}

function bean(
  name: string,
  description: string,
  rows: readonly (readonly [string, string, string, JsonValue])[],
): Bean {
  return {
    name: `${BEAN_DOMAIN}:instance=kernel#0,name=${name}`,
    description,
    attributes: rows.map(([attribute, about, type, value]) => ({ name: attribute, description: about, type, value })),
  };
}

/** `Sat Nov 21 02:57:45 UTC 2026` */
function dateText(timeMs: number): string {
  const [, day = "", month = "", year = "", time = ""] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(timeMs).toUTCString()) ?? [];
  const weekday = new Date(timeMs).toUTCString().slice(0, 3);
  return `${weekday} ${month} ${day} ${time} UTC ${year}`;
}
