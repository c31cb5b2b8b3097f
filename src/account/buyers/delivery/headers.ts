/** Headers that a buyer wants beside ours, and how they are shown. */
import type { SealedValue } from '../../../platform/security/sealedValue.js';
import type { StoredHeaders } from '../../rules/deliverySettings.js';
import { isSameOrigin } from './origin.js';
import type { SettingReader } from './reader.js';

const HEADERS_MOST = 50;
const HEADER_LENGTH = 4_096;

/** What stands for the value of a header wherever a delivery is shown; sent back, it keeps the value. */
export const HIDDEN_HEADER = '[hidden]';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;

const MOVED =
  ': the address changed to another origin, and stored values stay with the one before. Give each header anew, or {} to send none.';

/**
 * What is kept stays as it is stored; what is given is plain text. Nothing is kept when the address leads to another
 * origin: who may change the address need not know the keys, and must not have them sent to himself.
 * @param reserved names in lower case that the service sets itself
 */
export function readHeaders(read: SettingReader, reserved: ReadonlySet<string>): StoredHeaders {
  const given = read.given('headers') ?? {};
  const isRecord = typeof given === 'object' && !Array.isArray(given);
  // One that was stored before the service set it itself goes: it was not given now.
  const isStored = given === read.before('headers');
  const entries = (isRecord ? Object.entries(given) : []).filter(
    ([name]) => !isStored || !reserved.has(name.toLowerCase()),
  );
  if (!isRecord) read.problem('headers', 'invalid_type', 'must be an object of texts.');
  if (entries.length > HEADERS_MOST) {
    read.problem('headers', 'too_long', `must have at most ${HEADERS_MOST} entries.`);
  }
  const seen = new Set<string>();
  const before = (read.before('headers') ?? {}) as StoredHeaders;
  const isMoved = !isSameOrigin(read.before('url'), read.given('url'));
  const isKept = (value: unknown): boolean => isStored || value === HIDDEN_HEADER;
  if (Object.keys(before).length > 0 && isMoved && entries.some(([, value]) => isKept(value))) {
    read.problem('headers', 'required', MOVED);
    return {};
  }
  const kept = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of entries) {
    // Sealed: it was checked when it was given.
    if (isStored && typeof value !== 'string') continue;
    const key = name.toLowerCase();
    if (!NAME.test(name)) {
      read.problem('headers', 'invalid_format', `: "${name}" cannot be the name of a header.`);
    } else if (reserved.has(key)) {
      read.problem('headers', 'not_allowed', `: ${name} is set by the service; leave it out.`);
    } else if (seen.has(key)) {
      read.problem('headers', 'not_allowed', `: ${name} is there twice; case makes no difference.`);
    } else if (value === HIDDEN_HEADER && !kept.has(key)) {
      const rule = `: ${name} has no value yet that could be kept; give it one in the place of`;
      read.problem('headers', 'required', `${rule} ${HIDDEN_HEADER}.`);
    } else if (typeof value !== 'string') {
      read.problem('headers', 'invalid_type', `: ${name} must be text.`);
    } else if (!VALUE.test(value)) {
      read.problem('headers', 'invalid_format', `: ${name} must be printable ASCII on one line.`);
    } else if (value.length > HEADER_LENGTH) {
      read.problem(
        'headers',
        'too_long',
        `: ${name} must have at most ${HEADER_LENGTH} characters.`,
      );
    }
    seen.add(key);
  }
  return Object.fromEntries(
    entries.map(([name, value]): [string, string | SealedValue] => [
      name,
      value === HIDDEN_HEADER ? (kept.get(name.toLowerCase()) ?? '') : (value as string),
    ]),
  );
}

/** The same without what they hold, which are the buyer's own keys. */
export const hiddenHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN_HEADER]));
