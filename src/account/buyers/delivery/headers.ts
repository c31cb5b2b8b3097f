/** Headers that a buyer wants in addition to ours, and how they are shown. */
import { problemsOf, type Problem } from '../../../lib/schema/zodIssues.js';
import type { StoredHeaders } from '../../rules/deliverySettings.js';
import { Headers } from '../settingKinds.js';

/** Placeholder for the value of a header wherever a delivery is shown; sent back, it keeps the value. */
export const HIDDEN_HEADER = '[hidden]';

const MOVED =
  ': the address changed to another origin, and stored values are not sent there. Give each header again, or {} to ' +
  'send none';

interface Addressed {
  headers?: unknown;
  url?: unknown;
}

/**
 * A stored header stays as it is stored; a given one is plain text. None is kept when the address moves to another
 * origin: a caller that may change the address need not know the keys, and must not redirect them to itself.
 * @param laid what is given over what there is; its headers are those of `current` themselves where none are given
 * @param reserved names in lower case that the service sets itself
 */
export function mergeHeaders(
  laid: Addressed,
  current: Addressed | undefined,
  reserved: ReadonlySet<string>,
): { headers: StoredHeaders; problems: Problem[] } {
  const before = (current?.headers ?? {}) as StoredHeaders;
  const isStored = laid.headers === current?.headers;
  const given = laid.headers ?? {};
  const values = typeof given === 'object' ? Object.values(given) : [];
  const isKept = isStored ? values.length > 0 : values.includes(HIDDEN_HEADER);
  const isMoved = !isSameOrigin(current?.url, laid.url);
  if (Object.keys(before).length > 0 && isMoved && isKept)
    return { headers: {}, problems: [problemOf('required', MOVED)] };
  return isStored
    ? { headers: withoutReserved(before, reserved), problems: [] }
    : readGiven(given, before, reserved);
}

/** A stored header that the service now sets itself is dropped without a problem: the caller did not give it. */
const withoutReserved = (headers: StoredHeaders, reserved: ReadonlySet<string>): StoredHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !reserved.has(name.toLowerCase())));

function readGiven(
  given: unknown,
  before: StoredHeaders,
  reserved: ReadonlySet<string>,
): { headers: StoredHeaders; problems: Problem[] } {
  const read = Headers.safeParse(given, { reportInput: true });
  const problems = read.success ? [] : problemsOf(read.error).map(namedProblem);
  const kept = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  const seen = new Set<string>();
  const headers = new Map<string, StoredHeaders[string]>();
  for (const [name, value] of entriesOf(given)) {
    const key = name.toLowerCase();
    if (reserved.has(key)) {
      problems.push(problemOf('not_allowed', `: ${name} is set by the service; leave it out`));
    } else if (seen.has(key)) {
      problems.push(
        problemOf('not_allowed', `: ${name} is there twice; names are case-insensitive`),
      );
    } else if (value === HIDDEN_HEADER && !kept.has(key)) {
      const rule = `: ${name} has no stored value to keep; give a value instead of`;
      problems.push(problemOf('required', `${rule} ${HIDDEN_HEADER}`));
    }
    seen.add(key);
    headers.set(name, value === HIDDEN_HEADER ? (kept.get(key) ?? '') : (value as string));
  }
  return { headers: Object.fromEntries(headers), problems };
}

/** Without `__proto__`, which a schema skips. */
const entriesOf = (given: unknown): [string, unknown][] =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? Object.entries(given).filter(([name]) => name !== '__proto__')
    : [];

const problemOf = (code: Problem['code'], rule: string): Problem => ({
  path: ['headers'],
  code,
  rule,
});

/** Reported for the headers as a whole: the names of headers are not names of settings. */
const namedProblem = ({ path: [name], code, rule }: Problem): Problem =>
  problemOf(code, name === undefined ? rule : `: ${String(name)} ${rule}`);

/** Headers without their values, which may be keys of the buyer. */
export const hiddenHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN_HEADER]));

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
