import { StartError } from "@trefoil/base";

/** A package of extensions and the path below which it answers (graph §4.7). */
export interface ExtensionMount {
  readonly packageName: string;
  /** Begins with `/`. */
  readonly mountPath: string;
}

const suffix = "thirdparty_jaxrs_classes";

/** Whatever stands before, a property with this end mounts extensions (graph §4.7). */
export function mountsExtensions(key: string): boolean {
  return key.endsWith(suffix);
}

/** The same name in the singular: wrong, and without effect (graph §4.7). */
export function isSingularMistake(key: string): boolean {
  return key.endsWith("thirdparty_jaxrs_class");
}

/** The environment's spelling of such a key, with any prefix. */
export function mountsExtensionsByEnvironment(name: string): boolean {
  return name.startsWith("TREFOIL_") && name.endsWith(suffix.toUpperCase());
}

/**
 * `<package>=<mount path>`, several separated by commas.
 *
 * @throws StartError "configuration" for a pair without `=` (graph-http §13)
 */
export function parseExtensionMounts(key: string, value: string, origin: string): readonly ExtensionMount[] {
  return value
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [packageName = "", mountPath = "", ...rest] = pair.split("=").map((part) => part.trim());
      if (packageName === "" || mountPath === "" || rest.length > 0) {
        throw new StartError(
          "configuration",
          `config for ${key} is wrong: "${pair}" (${origin}) should be <package>=<mount path>, several separated by commas`,
        );
      }
      return { packageName, mountPath: mountPath.startsWith("/") ? mountPath : `/${mountPath}` };
    });
}
