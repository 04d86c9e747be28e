import { type CoordinateSystem, floatOf, type PointValue } from "@trefoil/graph-store";
import { floatText } from "./float-text.ts";
import { argumentError } from "./query-errors.ts";
import { type Value } from "./value.ts";

/** A coordinate system by its names: `crs` in maps and components, and what the coordinates are called. */
export interface CoordinateSystemDescription {
  readonly system: CoordinateSystem;
  readonly name: string;
  readonly isGeographic: boolean;
  readonly dimensions: 2 | 3;
}

export const COORDINATE_SYSTEMS: readonly CoordinateSystemDescription[] = [
  { system: 7203, name: "cartesian", isGeographic: false, dimensions: 2 },
  { system: 9157, name: "cartesian-3d", isGeographic: false, dimensions: 3 },
  { system: 4326, name: "wgs-84", isGeographic: true, dimensions: 2 },
  { system: 4979, name: "wgs-84-3d", isGeographic: true, dimensions: 3 },
];

export function describeSystem(point: PointValue): CoordinateSystemDescription {
  const found = COORDINATE_SYSTEMS.find(({ system }) => system === point.system);
  if (found === undefined) {
    throw argumentError(`Unknown coordinate system ${point.system}`);
  }
  return found;
}

/** `point({x: 1.0, y: 2.0, crs: 'cartesian'})`, as a statement would write it. */
export function pointText(point: PointValue): string {
  const { name, isGeographic } = describeSystem(point);
  const names = isGeographic ? ["longitude", "latitude", "height"] : ["x", "y", "z"];
  const coordinates = point.coordinates.map((value, index) => `${names[index]}: ${floatText(value)}`);
  return `point({${coordinates.join(", ")}, crs: '${name}'})`;
}

/** Of one system, and all coordinates equal. */
export function pointsEqual(left: PointValue, right: PointValue): boolean {
  return left.system === right.system && left.coordinates.every((value, index) => value === right.coordinates[index]);
}

const COORDINATES: Readonly<Record<string, { readonly index: number; readonly geographicOnly: boolean }>> = {
  x: { index: 0, geographicOnly: false },
  y: { index: 1, geographicOnly: false },
  z: { index: 2, geographicOnly: false },
  longitude: { index: 0, geographicOnly: true },
  latitude: { index: 1, geographicOnly: true },
  height: { index: 2, geographicOnly: true },
};

/** `point.x`, `point.latitude`, `point.crs`, `point.srid`. @throws InvalidArguments for a component it doesn't have */
export function pointComponent(point: PointValue, name: string): Value {
  const description = describeSystem(point);
  if (name === "crs") {
    return description.name;
  }
  if (name === "srid") {
    return description.system;
  }
  const coordinate = Object.hasOwn(COORDINATES, name) ? COORDINATES[name] : undefined;
  const value = coordinate === undefined ? undefined : point.coordinates[coordinate.index];
  if (coordinate === undefined || value === undefined || (coordinate.geographicOnly && !description.isGeographic)) {
    throw argumentError(`A point in ${description.name} has no component '${name.slice(0, 60)}'`);
  }
  return floatOf(value);
}
