import { XMLParser, XMLValidator } from "fast-xml-parser";
import { StorageError } from "../errors/storage-error.ts";

/** An element of a request's document; attributes mean nothing to this service. */
export interface XmlElement {
  readonly name: string;
  /** Trimmed. */
  readonly text: string;
  /** As it stands there: a separator may be white space. */
  readonly rawText: string;
  /** In the order of the document: a block list depends on it. */
  readonly children: readonly XmlElement[];
}

/** Deeper than any document of the service. */
const DEPTH_LIMIT = 10;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  trimValues: false,
});

/**
 * Parses a request's body.
 *
 * @param rootName  the element that the document must have
 * @throws StorageError `InvalidXmlDocument` when it is not well formed, has a document type (no entities of its own),
 *         is too deep, or has another root
 */
export function readXml(body: Uint8Array, rootName: string): XmlElement {
  const text = Buffer.from(body)
    .toString("utf8")
    .replace(/^\ufeff/u, "");
  if (/<!DOCTYPE/iu.test(text) || XMLValidator.validate(text) !== true) {
    throw new StorageError("InvalidXmlDocument");
  }
  const [root, ...others] = elements(parser.parse(text) as OrderedNode[], 0);
  if (root === undefined || others.length > 0 || root.name !== rootName) {
    throw new StorageError("InvalidXmlDocument");
  }
  return root;
}

/** The first child of a name. */
export function findChild(parent: XmlElement, name: string): XmlElement | undefined {
  return parent.children.find((child) => child.name === name);
}

/** What the parser gives: one key, whose value holds text nodes and further elements. */
type OrderedNode = Readonly<Record<string, readonly OrderedNode[] | string>>;

function elements(nodes: readonly OrderedNode[], depth: number): XmlElement[] {
  if (depth > DEPTH_LIMIT) {
    throw new StorageError("InvalidXmlDocument");
  }
  const found: XmlElement[] = [];
  for (const node of nodes) {
    for (const [name, content] of Object.entries(node)) {
      if (typeof content !== "string") {
        const rawText = textOf(content);
        found.push({ name, text: rawText.trim(), rawText, children: elements(content, depth + 1) });
      }
    }
  }
  return found;
}

function textOf(nodes: readonly OrderedNode[]): string {
  return nodes.map((node) => (typeof node["#text"] === "string" ? node["#text"] : "")).join("");
}
