/** Where a browser goes after signing in: to a page of this service, and nowhere else. */

/** A base for relative paths; a path that names a host resolves to another origin. */
const BASE = 'http://own.invalid';
const PATH_MAX_CHARS = 2_000;

/**
 * @param text from the request
 * @returns the path with its query; null when it is absent or leads elsewhere (`//host`, `/\host`, a scheme)
 */
export function returnPath(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.length > PATH_MAX_CHARS) return null;
  // Browsers drop tabs and line ends from addresses, and take a backslash for a slash.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null;
  const url = URL.canParse(text, BASE) ? new URL(text, BASE) : null;
  if (url?.origin !== BASE || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search;
}

/** A path with parameters; those without a value are left out. */
export function pathWith(
  path: string,
  parameters: Record<string, string | null | undefined>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
