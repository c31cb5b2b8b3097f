/** Headers of every document that browsers show. */

/** Nothing from other hosts; forms go to this host; no other page may frame it. */
const OWN = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** @param more of the content security policy, in addition to the part that all documents share */
export const documentHeaders = (...more: readonly string[]): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [...OWN, ...more].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});
