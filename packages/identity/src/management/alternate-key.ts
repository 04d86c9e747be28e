const ALTERNATE_KEY = /^(\/v1\.0\/[a-z]+)\((?:[a-z]+=)?'([^'/?]+)'\)/i;
const ENCODED = /%2[78]|%29|%3d/gi;

/**
 * The address of an entity with its key as a segment: `/applications(appId='x')/owners` is `/applications/x/owners`,
 * since every collection finds its entities by their alternate keys too. (OData 4.01 URL conventions §4.3)
 */
export function withoutAlternateKey(url: string): string {
  if (!url.startsWith("/v1.0/") || !/\(|%28/.test(url)) {
    return url;
  }
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  const plain = path.replace(ENCODED, (code) => decodeURIComponent(code));
  return ALTERNATE_KEY.test(plain) ? plain.replace(ALTERNATE_KEY, "$1/$2") + url.slice(path.length) : url;
}
