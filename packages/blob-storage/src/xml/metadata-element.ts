import { type Metadata } from "../request/metadata-headers.ts";
import { headerText } from "../request/header-text.ts";
import { element, textElement } from "./write-xml.ts";

/** `<Metadata><name>value</name>…</Metadata>`; names are C# identifiers, so they are names of XML as well. */
export function metadataElement(metadata: Metadata): string {
  const entries = Object.entries(metadata).map(([name, value]) => textElement(name, headerText(value)));
  return element("Metadata", entries.join(""));
}
