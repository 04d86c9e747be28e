import { findChild, type XmlElement } from "../xml/read-xml.ts";

/** The static web site of an account, from its service properties (storage §18). */
export interface Website {
  readonly enabled: boolean;
  /** What a folder shows: `index.html`. */
  readonly indexDocument: string | undefined;
  /** What every folder shows instead: a path in the container. */
  readonly defaultIndexPath: string | undefined;
  /** What is shown, with status 404, in place of what isn't there: a path in the container. */
  readonly errorDocument: string | undefined;
}

export function readWebsite(section: XmlElement | undefined): Website {
  const text = (name: string): string | undefined => {
    const value = section === undefined ? "" : (findChild(section, name)?.text ?? "").replace(/^\//u, "");
    return value === "" ? undefined : value;
  };
  return {
    enabled: text("Enabled")?.toLowerCase() === "true",
    indexDocument: text("IndexDocument"),
    defaultIndexPath: text("DefaultIndexDocumentPath"),
    errorDocument: text("ErrorDocument404Path"),
  };
}
