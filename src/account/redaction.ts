/** The part of an input that the audit log keeps: which settings were named and where they lead; no secret, no lead. */
import { SECRET_KINDS } from './buyers/rotateSecret.js';

/** Headers and templates hold keys of buyers, an upload phones and emails of people, and a logo is an image. */
const SECRET = /secret|token|password|authorization|api_?key|headers|csv|template|^logo$/i;
const HIDDEN = '[hidden]';
/** Pictures of funnels. */
const PICTURE = /^data:image\//;
/** The values of a lead by their names, as send_test_lead takes them; elsewhere a list of names or definitions. */
const LEAD_FIELDS = 'fields';
/** The kind of a secret is not a secret. */
const KINDS_OF_SECRET: readonly unknown[] = SECRET_KINDS;

/**
 * Names of settings stay, values of secret ones are hidden. Of addresses scheme, host and path stay; user names,
 * passwords and queries are removed, and so are the paths of incoming webhooks of Slack, which are their secret. A
 * redacted value passes through unchanged.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return PICTURE.test(value) ? HIDDEN : withoutSecretParts(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, entryWithout(key, inner, value)]),
  );
}

function entryWithout(key: string, inner: unknown, of: Record<string, unknown>): unknown {
  if (SECRET.test(key) && !KINDS_OF_SECRET.includes(inner)) return HIDDEN;
  if (key === LEAD_FIELDS && isRecord(inner) && !Array.isArray(inner)) return onlyNames(inner);
  const shown = withoutSecrets(inner);
  // The input does not show whether the changed automation is a Slack one, and other services accept Slack's format.
  const isPosted = key !== 'target' || of.action === 'WEBHOOK';
  if (isPosted || !isRecord(inner) || typeof inner.url !== 'string') return shown;
  return { ...(shown as object), url: originOf(inner.url) };
}

/** A test lead may still describe a person: the names of its fields are kept, their values are not. */
const onlyNames = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, HIDDEN]));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function originOf(address: string): string {
  const url = readHttp(address);
  return url ? `${url.origin}/${HIDDEN}` : HIDDEN;
}

/** What is left after hiding may parse as another address, so this repeats until nothing changes, which is soon. */
function withoutSecretParts(text: string): string {
  let shown = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = hideParts(shown);
    if (next === shown) return shown;
    shown = next;
  }
  return HIDDEN;
}

const ROUNDS_MAX = 10;

/** The whole may be an address with spaces in it, and a note may name several. */
const hideParts = (text: string): string =>
  shownAddress(text.replace(/\/\/[^/@\s]+@/g, `//${HIDDEN}@`))
    .split(/(\s+)/)
    .map(shownWord)
    .join('')
    .replace(/(hooks\.slack(?:-gov)?\.com\.?(?::\d+)?)\/\S*/gi, `$1/${HIDDEN}`);

function shownWord(word: string): string {
  const start = word.search(/https?:/i);
  return start < 0 ? word : word.slice(0, start) + shownAddress(word.slice(start));
}

/** The text unchanged, unless it is an address with something to hide. */
function shownAddress(text: string): string {
  const url = readHttp(text);
  if (!url) return text;
  const { protocol, username, password, host, pathname, search, hash } = url;
  if (username === '' && password === '' && search === '') return text;
  const user = username === '' && password === '' ? '' : `${HIDDEN}@`;
  const query = search === '' ? '' : `?${HIDDEN}`;
  return `${protocol}//${user}${host}${pathname}${query}${hash}`;
}

/** Parsed as requests parse it: letter case, backslashes and surrounding spaces make no difference. */
function readHttp(text: string): URL | null {
  const url = URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) ? url : null;
}
