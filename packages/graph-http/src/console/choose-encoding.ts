export type ContentEncoding = "br" | "gzip" | "identity";

/**
 * The smallest encoding a request accepts: `br` before `gzip` where both are. A quality of zero refuses one.
 *
 * @param accepted  the header `Accept-Encoding`; absent: nothing is compressed
 * @source RFC 9110 §12.5.3
 */
export function chooseEncoding(accepted: string | readonly string[] | undefined): ContentEncoding {
  const qualities = new Map<string, number>();
  for (const element of String(accepted ?? "").split(",")) {
    const [name = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    qualities.set(name, quality === undefined ? 1 : Number(quality.slice(2)));
  }
  const accepts = (name: string): boolean => (qualities.get(name) ?? qualities.get("*") ?? 0) > 0;
  return accepts("br") ? "br" : accepts("gzip") ? "gzip" : "identity";
}
