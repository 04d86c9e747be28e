import { StorageError } from "../errors/storage-error.ts";
import { parseCorsRules } from "../cors/cors-rules.ts";
import { isServiceVersion } from "../request/service-version.ts";
import { findChild, type XmlElement } from "../xml/read-xml.ts";
import { element, escapeXml } from "../xml/write-xml.ts";

/** The service properties of an account: its sections as they were set, by name. */
export type ServiceProperties = Readonly<Partial<Record<SectionName, XmlElement>>>;

/** In the order of storage, appendix B. */
const SECTIONS = [
  "Logging",
  "HourMetrics",
  "MinuteMetrics",
  "Cors",
  "DefaultServiceVersion",
  "DeleteRetentionPolicy",
  "StaticWebsite",
] as const;

export type SectionName = (typeof SECTIONS)[number];

const LONGEST_DAYS = 365;

/**
 * The sections of a request's document; what it leaves out keeps its value.
 *
 * @throws StorageError `InvalidXmlDocument` or `InvalidXmlNodeValue`
 */
export function readServiceProperties(root: XmlElement): ServiceProperties {
  for (const section of root.children) {
    if (!SECTIONS.some((name) => name === section.name)) {
      throw new StorageError("InvalidXmlDocument", { elements: { XmlNodeName: section.name } });
    }
    checkSection(section);
  }
  return Object.fromEntries(root.children.map((section) => [section.name, section]));
}

/** The whole document, with what was never set as it is by default. */
export function propertiesElement(properties: ServiceProperties): string {
  return element(
    "StorageServiceProperties",
    SECTIONS.map((name) => {
      const section = properties[name];
      return section === undefined ? (DEFAULTS[name] ?? "") : written(section);
    }).join(""),
  );
}

const NO_RETENTION = "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";
const NO_METRICS = `<Version>1.0</Version><Enabled>false</Enabled>${NO_RETENTION}`;

const DEFAULTS: Readonly<Partial<Record<SectionName, string>>> = {
  Logging: `<Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read><Write>false</Write>${NO_RETENTION}</Logging>`,
  HourMetrics: `<HourMetrics>${NO_METRICS}</HourMetrics>`,
  MinuteMetrics: `<MinuteMetrics>${NO_METRICS}</MinuteMetrics>`,
  Cors: "<Cors />",
  DeleteRetentionPolicy: "<DeleteRetentionPolicy><Enabled>false</Enabled></DeleteRetentionPolicy>",
  StaticWebsite: "<StaticWebsite><Enabled>false</Enabled></StaticWebsite>",
};

function checkSection(section: XmlElement): void {
  if (section.name === "Cors") {
    parseCorsRules(section);
  }
  if (section.name === "DefaultServiceVersion" && !isServiceVersion(section.text)) {
    throw invalidNode(section);
  }
  checkRetention(section.name === "DeleteRetentionPolicy" ? section : findChild(section, "RetentionPolicy"));
}

function checkRetention(policy: XmlElement | undefined): void {
  const enabled = policy && findChild(policy, "Enabled");
  if (policy === undefined || enabled === undefined) {
    return;
  }
  if (enabled.text !== "true" && enabled.text !== "false") {
    throw invalidNode(enabled);
  }
  const days = findChild(policy, "Days");
  if (enabled.text === "true" && days === undefined) {
    throw new StorageError("MissingRequiredXmlNode", { elements: { XmlNodeName: "Days" } });
  }
  const number = Number(days?.text);
  if (enabled.text === "true" && !(Number.isInteger(number) && number >= 1 && number <= LONGEST_DAYS)) {
    throw invalidNode(days ?? policy);
  }
}

function invalidNode({ name, text }: XmlElement): StorageError {
  return new StorageError("InvalidXmlNodeValue", { elements: { XmlNodeName: name, XmlNodeValue: text } });
}

function written({ name, text, children }: XmlElement): string {
  return element(name, children.length === 0 ? escapeXml(text) : children.map(written).join(""));
}
