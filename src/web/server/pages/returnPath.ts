/** Where a browser goes after signing in: to a page of this service, and nowhere else. */

/** Any own page; its host only shows whether a path has one of its own. */
const OWN = 'http://own.invalid';
const PATH_MAX_CHARS = 2_000;

/**
 * @param text from the request
 * @returns the path with its query; null when it is absent or leads elsewhere (`//host`, `/\host`, a scheme)
 */
export function returnPath(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.length > PATH_MAX_CHARS) return null;
  // Browsers drop tabs and line ends from addresses, and take a backslash for a slash.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null;
  const url = URL.canParse(text, OWN) ? new URL(text, OWN) : null;
  if (url?.origin !== OWN || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search;
}

/** A path with parameters; those without a value are left out. */
export function pathWith(
  path: string,
  parameters: Record<string, string | null | undefined>,
): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) given.set(name, value);
  const query = given.toString();
  return query === '' ? path : `${path}?${query}`;
}
