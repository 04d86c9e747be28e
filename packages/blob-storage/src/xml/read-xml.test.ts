import { describe, expect, test } from "vitest";
import { readXml } from "./read-xml.ts";

const textOf = (content: string): string => readXml(Buffer.from(`<a>${content}</a>`), "a").rawText;

/** XML 1.0 §4.1 and §4.6; Go's and .NET's writers give line breaks and quotes by number. */
describe("references", () => {
  test.each([
    ["&lt;&gt;&amp;&apos;&quot;", "<>&'\""],
    ["&#34;&#39;&#xA;&#xd;&#x9;", "\"'\n\r\t"],
    ["&#x1F600;&#65;", "\u{1f600}A"],
    ["&amp;#65;&amp;lt;", "&#65;&lt;"],
    ["<![CDATA[&#65;]]>", "&#65;"],
  ])("%s is %j", (written, meant) => {
    expect(textOf(written)).toBe(meant);
  });

  test.each([
    "&copy;",
    "&constructor;",
    "&#0;",
    "&#x1;",
    "&#xD800;",
    "&#xFFFE;",
    "&#x110000;",
    "&#99999999;",
    "&#;",
    "&",
  ])("%s stands for nothing", (written) => {
    expect(() => textOf(written)).toThrow(expect.objectContaining({ code: "InvalidXmlDocument" }));
  });
});
