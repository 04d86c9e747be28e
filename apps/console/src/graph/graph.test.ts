import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NodeValue, type RelationshipValue } from "../values/value.ts";
import { CAPTION_SIZE, captionLines } from "./caption-lines.ts";
import { findAt } from "./find-at.ts";
import { GraphStyles } from "./graph-styles.ts";
import { inkOn, PALETTE } from "./palette.ts";
import { boundsOf, Picture } from "./picture.ts";
import { pictureSvg } from "./picture-svg.ts";
import { fit, panBy, toPicture, zoomAt } from "./viewport.ts";

const node = (id: string, properties: Readonly<Record<string, string>> = {}): NodeValue => ({
  kind: "node",
  id,
  labels: ["L"],
  properties: new Map(Object.entries(properties)),
});
const link = (id: string, startId: string, endId: string): RelationshipValue => ({
  kind: "relationship",
  id,
  type: "T",
  startId,
  endId,
  properties: new Map(),
});

function newPicture(): Picture {
  return new Picture({
    ofNode: ({ id }) => ({ radius: 20, color: "#4f8ff0", ink: "#ffffff", caption: id, lines: [id], captionSize: 10 }),
    ofLink: ({ type }) => ({ color: "#98a5a0", width: 1.5, caption: type }),
  });
}

describe("a picture", () => {
  it("has each entity once, and no relationship without both of its ends", () => {
    const picture = newPicture();
    picture.add([node("1"), node("2"), node("1")], [link("1", "1", "2"), link("1", "1", "2"), link("2", "1", "3")]);
    expect([picture.nodes.length, picture.links.length]).toEqual([2, 1]);
    picture.add([node("3")], [link("2", "1", "3")], picture.findNode("1"));
    expect([picture.nodes.length, picture.links.length]).toEqual([3, 2]);
    expect(picture.findNode("1")?.degree).toBe(2);
    picture.hide(picture.findNode("1")!);
    expect([picture.nodes.length, picture.links.length]).toEqual([2, 0]);
  });

  it("bends parallel relationships apart, whichever way they point", () => {
    const picture = newPicture();
    picture.add([node("1"), node("2")], [link("1", "1", "2"), link("2", "2", "1"), link("3", "1", "2")]);
    const sides = picture.links.map(({ bend, value }) => (value.startId === "1" ? bend : -bend));
    expect(new Set(sides).size).toBe(3);
  });

  it("is found by place: nodes before relationships", () => {
    const picture = newPicture();
    picture.add([node("1"), node("2")], [link("1", "1", "2"), link("2", "1", "1")]);
    Object.assign(picture.findNode("1")!, { x: 0, y: 0 });
    Object.assign(picture.findNode("2")!, { x: 200, y: 0 });
    const viewport = { scale: 2, offsetX: 100, offsetY: 100 };
    expect(findAt(picture, viewport, 110, 100)?.value).toMatchObject({ kind: "node", id: "1" });
    expect(findAt(picture, viewport, 300, 103)?.value).toMatchObject({ kind: "relationship", id: "1" });
    expect(findAt(picture, viewport, 300, 160)).toBeUndefined();
    expect(findAt(picture, viewport, 100, 100 - 2 * 35)?.value).toMatchObject({ kind: "relationship", id: "2" });
  });

  it("is written as SVG with nothing of a caption taken for markup", () => {
    const picture = newPicture();
    picture.add([node("<b>&")], []);
    expect(pictureSvg(picture, { background: "#fff", text: "#000" })).toContain("&lt;b&gt;&amp;");
  });
});

describe("the view", () => {
  it("keeps what is under the pointer where it is while zooming", () => {
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 500 }), fc.double({ min: 0.5, max: 2, noNaN: true }), (x, factor) => {
        const before = { scale: 1, offsetX: 30, offsetY: -20 };
        const [pictureX] = toPicture(before, x, x);
        const [after] = toPicture(zoomAt(before, factor, x, x), x, x);
        expect(after).toBeCloseTo(pictureX, 6);
      }),
    );
    expect(panBy({ scale: 2, offsetX: 1, offsetY: 1 }, 3, 4)).toEqual({ scale: 2, offsetX: 4, offsetY: 5 });
  });

  it("fits every node into it", () => {
    const picture = newPicture();
    picture.add(
      Array.from({ length: 300 }, (_, index) => node(String(index))),
      [],
    );
    const size = { width: 800, height: 500 };
    const { scale, offsetX, offsetY } = fit(boundsOf(picture.nodes), size);
    for (const { x, y } of picture.nodes) {
      expect(x * scale + offsetX).toBeGreaterThan(0);
      expect(x * scale + offsetX).toBeLessThan(size.width);
      expect(y * scale + offsetY).toBeGreaterThan(0);
      expect(y * scale + offsetY).toBeLessThan(size.height);
    }
  });
});

describe("captions", () => {
  const widthOf = (text: string): number => text.length * CAPTION_SIZE * 0.6;

  it("fit into their circles, whatever they say", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(16, 22, 28, 36, 46), (text, radius) => {
        const { lines, captionSize } = captionLines(text, radius, widthOf);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines) {
          expect(widthOf(line) * (captionSize / CAPTION_SIZE)).toBeLessThanOrEqual(
            Math.max(2 * radius, widthOf("xx…")),
          );
        }
      }),
    );
  });

  it("break between words", () => {
    expect(captionLines("Seven Samurai", 28, widthOf).lines).toEqual(["Seven", "Samurai"]);
  });

  it("are names and titles before anything else, unless a style says otherwise", () => {
    const kept = new Map<string, string>();
    const styles = new GraphStyles({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => void kept.set(key, text),
    });
    const film = node("7", { country: "Japan", title: "Rashomon" });
    expect(styles.nodeCaption(film)).toBe("Rashomon");
    styles.changeLabel("L", { caption: "country" });
    expect(styles.nodeCaption(film)).toBe("Japan");
    expect(JSON.parse(kept.get("trefoil.graph.labels") ?? "")).toMatchObject({ L: { caption: "country" } });
    styles.reset();
    expect(styles.nodeCaption(film)).toBe("Rashomon");
  });
});

describe("the palette", () => {
  it.each(PALETTE)("%s carries a caption that can be read", (color) => {
    expect(contrast(color, inkOn(color))).toBeGreaterThanOrEqual(4.5);
  });

  function contrast(a: string, b: string): number {
    const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((left, right) => right - left);
    return (light + 0.05) / (dark + 0.05);
  }

  function luminance(color: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
});
