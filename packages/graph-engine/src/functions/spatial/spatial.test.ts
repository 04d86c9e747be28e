import { floatOf, PointValue } from "@trefoil/graph-store";
import { describe, expect, it } from "vitest";
import { pointComponent, pointText } from "../../values/point.ts";
import { type Value } from "../../values/value.ts";
import { findFunction } from "../registry.ts";
import { contextWithoutGraph } from "../testing/function-context.ts";

function call(name: string, ...args: Value[]): Value {
  const definition = findFunction(name, "modern");
  return definition === undefined || definition.aggregate
    ? null
    : definition.call(contextWithoutGraph("modern"), ...args);
}

const point = (fields: Record<string, Value>): Value => call("point", new Map(Object.entries(fields)));

describe("points", () => {
  it("take their system from the names of their coordinates, or by name or number", () => {
    expect(point({ x: 1, y: 2.5 })).toStrictEqual(new PointValue(7203, [1, 2.5]));
    expect(point({ x: 1, y: 2, z: 3 })).toStrictEqual(new PointValue(9157, [1, 2, 3]));
    expect(point({ longitude: 181, latitude: 2 })).toStrictEqual(new PointValue(4326, [-179, 2]));
    expect(point({ x: 1, y: 2, crs: "WGS-84" })).toStrictEqual(new PointValue(4326, [1, 2]));
    expect(point({ x: 1, y: 2, height: 3, srid: 4979 })).toStrictEqual(new PointValue(4979, [1, 2, 3]));
    expect(point({ x: null, y: 2 })).toBe(null);
  });

  it.each<Record<string, Value>>([
    { x: 1 },
    { x: 1, y: "2" },
    { x: 1, y: 2, w: 3 },
    { latitude: 91, longitude: 0 },
    { x: 1, y: 2, crs: "moon" },
    { x: 1, y: 2, crs: "cartesian-3d" },
    { longitude: 1, latitude: 2, crs: "cartesian" },
  ])("refuse %j", (fields) => {
    expect(() => point(fields)).toThrow(expect.objectContaining({ code: "ClientError.Statement.InvalidArguments" }));
  });

  it("have components and a text", () => {
    const here = new PointValue(4326, [12, 56.5]);
    expect(pointComponent(here, "latitude")).toBe(56.5);
    expect(pointComponent(here, "x")).toStrictEqual(floatOf(12));
    expect(pointComponent(here, "crs")).toBe("wgs-84");
    expect(pointText(here)).toBe("point({longitude: 12.0, latitude: 56.5, crs: 'wgs-84'})");
    expect(() => pointComponent(new PointValue(7203, [1, 2]), "latitude")).toThrow(/no component/);
    expect(() => pointComponent(here, "z")).toThrow(/no component/);
  });

  it("have distances within one system", () => {
    expect(call("distance", new PointValue(7203, [0, 0]), new PointValue(7203, [3, 4]))).toStrictEqual(floatOf(5));
    expect(call("point.distance", new PointValue(7203, [0, 0]), new PointValue(4326, [3, 4]))).toBe(null);
    const paris = new PointValue(4326, [2.3522, 48.8566]);
    const london = new PointValue(4326, [-0.1276, 51.5072]);
    expect(call("point.distance", paris, london)).toBeCloseTo(343_950, -3);
  });

  it("lie in boxes, also across the antimeridian", () => {
    const box = (lon1: number, lon2: number): Value[] => [
      new PointValue(4326, [lon1, -10]),
      new PointValue(4326, [lon2, 10]),
    ];
    expect(call("point.withinBBox", new PointValue(4326, [179, 0]), ...box(170, -170))).toBe(true);
    expect(call("point.withinBBox", new PointValue(4326, [0, 0]), ...box(170, -170))).toBe(false);
    expect(call("point.withinBBox", new PointValue(7203, [0, 0]), ...box(-1, 1))).toBe(null);
  });
});
