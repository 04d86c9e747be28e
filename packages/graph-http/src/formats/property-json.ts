import { isTemporal, temporalText } from "@trefoil/graph-engine";
import {
  type CoordinateSystem,
  floatOf,
  PointValue,
  type PropertyScalar,
  type PropertyValue,
} from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";

/** A property as JSON: temporal values as their texts, points as GeoJSON with their coordinate system's name. */
export function propertyJson(value: PropertyValue): JsonValue {
  return isList(value) ? value.map(scalarJson) : scalarJson(value);
}

function scalarJson(value: PropertyScalar): JsonValue {
  if (isTemporal(value)) {
    return temporalText(value);
  }
  return value instanceof PointValue ? pointJson(value) : value;
}

function pointJson({ system, coordinates }: PointValue): JsonValue {
  return new Map<string, JsonValue>([
    ["type", "Point"],
    ["coordinates", coordinates.map(floatOf)],
    [
      "crs",
      new Map<string, JsonValue>([
        ["srid", system],
        ["name", COORDINATE_SYSTEMS[system]],
      ]),
    ],
  ]);
}

const COORDINATE_SYSTEMS: Readonly<Record<CoordinateSystem, string>> = {
  7203: "cartesian",
  9157: "cartesian-3d",
  4326: "wgs-84",
  4979: "wgs-84-3d",
};

/** `Array.isArray` does not narrow unions with readonly arrays. */
function isList(value: PropertyValue): value is Extract<PropertyValue, readonly unknown[]> {
  return Array.isArray(value);
}
