import { XMLParser, XMLValidator } from "fast-xml-parser";
import { StorageError } from "../errors/storage-error.ts";
import { decodeReferences } from "./references.ts";

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
  // The parser's own leaves numeric references as they are written, which is how Go and .NET write line breaks and quotes.
  entityDecoder: {
    decode: decodeReferences,
    reset: () => undefined,
    setExternalEntities: () => undefined,
    addInputEntities: () => undefined,
    setXmlVersion: () => undefined,
  },
});

/** What no document may hold (XML 1.0 §2.2), and no text of the database. */
const controls = /[\0-\u0008\u000b\u000c\u000e-\u001f]/u;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a request's body.
 *
 * @param rootName  the element that the document must have
 * @throws StorageError `InvalidXmlDocument` when it is not UTF-8 or not well formed, has a document type (no entities of
 *         its own), is too deep, or has another root
 */
export function readXml(body: Uint8Array, rootName: string): XmlElement {
  const [root, ...others] = elements(parse(body), 0);
  if (root === undefined || others.length > 0 || root.name !== rootName) {
    throw new StorageError("InvalidXmlDocument");
  }
  return root;
}

function parse(body: Uint8Array): OrderedNode[] {
  try {
    const text = utf8.decode(body);
    if (!controls.test(text) && !/<!DOCTYPE/iu.test(text) && XMLValidator.validate(text) === true) {
      return parser.parse(text) as OrderedNode[];
    }
  } catch (error) {
    // The parser refuses what would make objects of a kind of their own, and nesting beyond its own limit.
    throw new StorageError("InvalidXmlDocument", { cause: error });
  }
  throw new StorageError("InvalidXmlDocument");
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
