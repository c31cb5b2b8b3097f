/** Whether an address has moved to another origin than the one its headers were given for. */

/**
 * Scheme, host and port count, as the WHATWG URL parser reads them: letter case and default ports make no difference, a
 * trailing dot of the host does. An address that cannot be parsed matches only the same text.
 */
export function isSameOrigin(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const origin = originOf(one);
  return origin !== null && origin === originOf(other);
}

/** Null for an address that cannot be parsed or has another scheme. */
function originOf(address: unknown): string | null {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url && HTTP.has(url.protocol) ? url.origin : null;
}

/** URLs of every other scheme have the origin "null", wherever they lead. */
const HTTP: ReadonlySet<string> = new Set(['http:', 'https:']);
