import { element, textElement } from "../xml/write-xml.ts";
import { type Tags } from "./tags.ts";

/** `<Tags><TagSet><Tag><Key>…</Key><Value>…</Value></Tag>…</TagSet></Tags>` */
export function tagsElement(tags: Tags): string {
  const entries = Object.entries(tags).map(([name, value]) =>
    element("Tag", textElement("Key", name) + textElement("Value", value)),
  );
  return element("Tags", element("TagSet", entries.join("")));
}
