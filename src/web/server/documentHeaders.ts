/** Headers of every document that people see. */

/** Nothing from elsewhere; forms go to this host; in nobody's frame. */
const OWN = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** @param more of the content security policy, beside what holds for every document */
export const documentHeaders = (...more: readonly string[]): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [...OWN, ...more].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});
