import { readFile } from "node:fs/promises";

/**
 * Reads a lock file (version 3) as versions and who depends on which: the nearest `node_modules` on the way up wins,
 * as when Node itself looks for a package.
 *
 * @param {URL | string} file
 */
export async function readPackageLock(file) {
  const { packages } = JSON.parse(await readFile(file, "utf8"));
  const follow = (place) => (packages[place]?.link ? packages[place].resolved : place);
  const versions = Object.entries(packages)
    .filter(([, entry]) => !entry.link)
    .map(([place, entry]) => ({ place, name: nameOf(place, entry), version: entry.version ?? "0.0.0" }));
  const dependencies = Object.entries(packages).flatMap(([place, entry]) =>
    Object.entries({ ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies }).flatMap(
      ([name, range]) => {
        const found = find(packages, place, name);
        return found === undefined ? [] : [{ from: place, to: follow(found), range }];
      },
    ),
  );
  return { versions, dependencies };
}

function nameOf(place, entry) {
  return entry.name ?? place.split("node_modules/").at(-1);
}

function find(packages, from, name) {
  for (let at = from; ; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "") {
    const place = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (place in packages) {
      return place;
    }
    if (at === "") {
      return undefined; // an optional dependency of another platform
    }
  }
}
