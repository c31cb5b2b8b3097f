/** Changes of a campaign in words: whose value changed, and from what to what. */
import type { Formats } from '../../lib/format.js';
import { SETTINGS, type SettingsTables, type Term } from '../../lib/settings.js';
import { inWords } from './columns.js';
import { writeHours } from './hours.js';

export interface PlanChange {
  /** Such as `max_sells` or `buyers["Acme"].price`. */
  path: string;
  from?: unknown;
  to?: unknown;
}

export interface ChangeInWords {
  /** Whose value; empty: the campaign's. */
  whose: string;
  what: string;
  before: string;
  after: string;
}

/** A name, an entry in brackets, and what follows. */
const PATH = /^(?<head>\w+)(?:\[(?<name>"(?:[^"\\]|\\.)*")\])?(?:\.(?<rest>.*))?$/s;

const TABLES = new Map<string, keyof SettingsTables>([
  ['buyers', 'buyerLink'],
  ['suppliers', 'supplierLink'],
]);

export function inWordsOf(
  { path, from = null, to = null }: PlanChange,
  formats: Formats,
): ChangeInWords {
  const { head = path, name, rest } = PATH.exec(path)?.groups ?? {};
  const whose = name === undefined ? '' : readName(name);
  if (name !== undefined && rest === undefined) return wholeRecord(head, whose, from);
  const key = name === undefined ? path : (rest ?? '');
  const term = findTerm(TABLES.get(head) ?? 'campaign', key);
  const write = (value: unknown): string => writeValue(value, term, formats);
  const what = term?.label ?? inWords(key.replaceAll('.', ' '));
  const prefix = head === 'fields' ? 'Field ' : '';
  return { whose: `${prefix}${whose}`, what, before: write(from), after: write(to) };
}

function readName(quoted: string): string {
  const name: unknown = JSON.parse(quoted);
  return typeof name === 'string' ? name : quoted;
}

const ONE = new Map([
  ['buyers', 'Buyer'],
  ['suppliers', 'Supplier'],
  ['fields', 'Field'],
]);

/** A buyer, a supplier or a field that was added or removed as a whole. */
function wholeRecord(head: string, whose: string, from: unknown): ChangeInWords {
  const what = ONE.get(head) ?? inWords(head);
  return from === null
    ? { whose, what, before: '', after: 'added' }
    : { whose, what, before: 'linked', after: 'removed' };
}

const findTerm = (table: keyof SettingsTables, name: string): Term | undefined =>
  SETTINGS[table].find((one) => one.name === name);

const TEXT_MAX = 200;

/** A value as people read it; nothing where it is not set. */
export function writeValue(value: unknown, term: Term | undefined, formats: Formats): string {
  if (value === null || value === undefined) return term?.empty ?? '';
  if (typeof value === 'number')
    return term?.unit === 'money' ? formats.money(value) : formats.number(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string')
    return term?.kind === 'choice' || isCode(value) ? inWords(value) : value;
  if (term?.name === 'schedule') return writeHours(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.length === 0 ? (term?.empty ?? '') : value.join(', ');
  return JSON.stringify(value).slice(0, TEXT_MAX);
}

const isCode = (text: string): boolean => /^[A-Z][A-Z_]+$/.test(text);

const SHOWN_MAX = 3;

/** The first changes of a version in one line. */
export function summaryOf(changes: readonly PlanChange[], more: number, formats: Formats): string {
  const texts = changes.slice(0, SHOWN_MAX).map((one) => {
    const { whose, what, before, after } = inWordsOf(one, formats);
    const subject =
      whose === '' ? what : `${whose}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
    return before === '' ? `${subject} ${after}` : `${subject} ${before} → ${after || '–'}`;
  });
  const others = changes.length + more - texts.length;
  return others > 0 ? `${texts.join('; ')}; ${others} more` : texts.join('; ');
}
