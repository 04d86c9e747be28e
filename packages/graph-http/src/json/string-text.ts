/**
 * A JSON string literal. Characters beyond the basic plane are written as two escapes, as clients of this interface
 * receive them (graph-measured); everything else stays as UTF-8.
 */
export function stringText(value: string): string {
  return escapeSurrogates(JSON.stringify(value));
}

/** Replaces every surrogate of an already serialised text by its escape. */
export function escapeSurrogates(json: string): string {
  return SURROGATE.test(json) ? json.replace(ALL_SURROGATES, escapeOf) : json;
}

const SURROGATE = /[\ud800-\udfff]/;
const ALL_SURROGATES = /[\ud800-\udfff]/g;

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).toUpperCase()}`;
}
