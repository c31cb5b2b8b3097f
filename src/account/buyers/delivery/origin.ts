/** Whether an address that headers were given for leads to somebody else now. */

/**
 * Scheme, host and port count, as the WHATWG URL parser reads them: letter case and default ports make no difference, a dot
 * at the end of the host does. What cannot be read is nobody's, unless it is the same text.
 */
export function isSameOrigin(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const origin = originOf(one);
  return origin !== null && origin === originOf(other);
}

/** Null where there is none. */
function originOf(address: unknown): string | null {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url && HTTP.has(url.protocol) ? url.origin : null;
}

/** All others have the origin "null", whoever they lead to. */
const HTTP: ReadonlySet<string> = new Set(['http:', 'https:']);
