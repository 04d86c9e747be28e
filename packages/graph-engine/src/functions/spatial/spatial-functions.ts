import { floatOf, PointValue } from "@trefoil/graph-store";
import { describeSystem } from "../../values/point.ts";
import { type Value } from "../../values/value.ts";
import { isMap } from "../../values/value-kind.ts";
import { invalidArgument } from "../arguments.ts";
import { defineFunction, MODERN } from "../define.ts";
import { type FunctionDefinition } from "../function-definition.ts";
import { pointOfMap } from "./point-of-map.ts";

/** The radius of the sphere that distances on the globe are taken on, in metres. */
const EARTH_RADIUS_METRES = 6_378_140;

/** Points in the plane, in space and on the globe; modern only. */
export const spatialFunctions: readonly FunctionDefinition[] = [
  defineFunction("point(map: map)", {
    returns: "point",
    modes: MODERN,
    description: "a point from a map of coordinates",
    call: (_context, map: Value) => {
      if (!isMap(map)) {
        throw invalidArgument("point", "a MAP", map);
      }
      return pointOfMap(map);
    },
  }),
  defineFunction("point.distance(from: any, to: any)", {
    returns: "float",
    synonyms: ["distance"],
    modes: MODERN,
    description: "the distance of two points of one system, on the globe in metres; else null",
    call: (_context, from: Value, to: Value) =>
      from instanceof PointValue && to instanceof PointValue && from.system === to.system
        ? floatOf(describeSystem(from).isGeographic ? globeDistance(from, to) : straightDistance(from, to))
        : null,
  }),
  defineFunction("point.withinBBox(point: any, lowerLeft: any, upperRight: any)", {
    returns: "boolean",
    modes: MODERN,
    description: "whether a point lies in a box, given by two corners of one system; else null",
    call: (_context, point: Value, lowerLeft: Value, upperRight: Value) =>
      point instanceof PointValue && lowerLeft instanceof PointValue && upperRight instanceof PointValue
        ? isWithin(point, lowerLeft, upperRight)
        : null,
  }),
];

function straightDistance(from: PointValue, to: PointValue): number {
  return Math.hypot(...from.coordinates.map((value, index) => value - (to.coordinates[index] ?? 0)));
}

/** Along the great circle (haversine) at the mean height, and up the difference of heights. */
function globeDistance(from: PointValue, to: PointValue): number {
  const [longitudeA = 0, latitudeA = 0, heightA = 0] = from.coordinates;
  const [longitudeB = 0, latitudeB = 0, heightB = 0] = to.coordinates;
  const north = Math.sin(radians(latitudeB - latitudeA) / 2) ** 2;
  const east = Math.sin(radians(longitudeB - longitudeA) / 2) ** 2;
  const half = north + Math.cos(radians(latitudeA)) * Math.cos(radians(latitudeB)) * east;
  const angle = 2 * Math.atan2(Math.sqrt(half), Math.sqrt(1 - half));
  const along = (EARTH_RADIUS_METRES + (heightA + heightB) / 2) * angle;
  return Math.hypot(along, heightB - heightA);
}

/** On the globe a box whose left side lies east of its right one goes across the antimeridian. */
function isWithin(point: PointValue, lowerLeft: PointValue, upperRight: PointValue): boolean | null {
  if (point.system !== lowerLeft.system || point.system !== upperRight.system) {
    return null;
  }
  return point.coordinates.every((value, index) => {
    const from = lowerLeft.coordinates[index] ?? 0;
    const to = upperRight.coordinates[index] ?? 0;
    const goesRound = index === 0 && from > to && describeSystem(point).isGeographic;
    return goesRound ? value >= from || value <= to : value >= from && value <= to;
  });
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
