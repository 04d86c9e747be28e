import { PointValue } from "@trefoil/graph-store";
import { COORDINATE_SYSTEMS, type CoordinateSystemDescription } from "../../values/point.ts";
import { argumentError } from "../../values/query-errors.ts";
import { describeType } from "../../values/type-of.ts";
import { isInteger, isNumber, toDouble } from "../../values/value-kind.ts";
import { type MapValue } from "../../values/value.ts";

const NAMES = [
  ["x", "y", "z"],
  ["longitude", "latitude", "height"],
] as const;

const KEYS: ReadonlySet<string> = new Set([...NAMES.flat(), "crs", "srid"]);

/**
 * The point a map describes: `x`, `y` and perhaps `z`, or `longitude`, `latitude` and perhaps `height`; its system by
 * `crs` or `srid`, else by the names and number of coordinates. null when a coordinate is.
 *
 * @throws InvalidArguments for unknown or missing keys, and coordinates that don't fit the system
 */
export function pointOfMap(map: MapValue): PointValue | null {
  for (const key of map.keys()) {
    if (!KEYS.has(key)) {
      throw argumentError(`Unknown field '${key.slice(0, 60)}' of a point`);
    }
  }
  const names = map.has("longitude") || map.has("latitude") ? NAMES[1] : NAMES[0];
  const isSolid = map.has(names[2]) || map.has("height") || map.has("z");
  const coordinates = [map.get(names[0]), map.get(names[1]), map.get(names[2]) ?? map.get("height") ?? map.get("z")];
  const wanted = coordinates.slice(0, isSolid ? 3 : 2);
  if (wanted.includes(undefined)) {
    throw argumentError(`A point needs ${names.slice(0, isSolid ? 3 : 2).join(", ")}`);
  }
  if (wanted.includes(null) || map.get("crs") === null || map.get("srid") === null) {
    return null;
  }
  const numbers = wanted.map((value) => {
    if (value === undefined || value === null || !isNumber(value)) {
      throw argumentError(`Coordinates must be numbers but one was ${describeType(value ?? null)}`);
    }
    return toDouble(value);
  });
  const system = systemOf(map, names === NAMES[1], isSolid ? 3 : 2);
  return new PointValue(system.system, system.isGeographic ? onTheGlobe(numbers) : numbers);
}

function systemOf(map: MapValue, named: boolean, dimensions: 2 | 3): CoordinateSystemDescription {
  const crs = map.get("crs");
  const srid = map.get("srid");
  const found = COORDINATE_SYSTEMS.find((system) =>
    crs !== undefined
      ? typeof crs === "string" && system.name === crs.toLowerCase()
      : srid !== undefined
        ? isInteger(srid) && Number(srid) === system.system
        : system.isGeographic === named && system.dimensions === dimensions,
  );
  if (found === undefined) {
    throw argumentError("Unknown coordinate system of a point");
  }
  if (found.dimensions !== dimensions || (named && !found.isGeographic)) {
    throw argumentError(`The coordinates of a point do not fit ${found.name}`);
  }
  return found;
}

/** Longitude comes round; a latitude beyond the poles is an error. */
function onTheGlobe([longitude = 0, latitude = 0, ...height]: readonly number[]): readonly number[] {
  if (Math.abs(latitude) > 90) {
    throw argumentError(`A latitude must be from -90 to 90, but was ${latitude}`, "NumberOutOfRange");
  }
  const turned = Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;
  return [turned, latitude, ...height];
}
