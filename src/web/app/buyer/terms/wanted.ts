/** The change of terms that a form requests: only the differences from the terms shown. */
import { notSent } from '../../lib/api.js';
import { formNumber, formText } from '../../lib/formValues.js';
import { CAP_WINDOWS, type CapLimits } from '../../../../account/rules/capLimits.js';
import { parseExactJson } from '../../../../lib/exactJson.js';
import { TERMS, type Term } from '../../lib/terms.js';
import type { Change, InputOf, Terms } from '../calls.js';
import { DAYS } from './values.js';

export type Caps = CapLimits;

/** A number of the form, by its place below `caps`. */
interface CapField {
  name: string;
  label: string;
  isMoney: boolean;
  of: (caps: Caps) => number | null | undefined;
}

const LIMIT_FIELDS = [
  ...CAP_WINDOWS.map(({ cap, span }) => ({ name: cap, label: `Leads ${span}`, isMoney: false })),
  ...CAP_WINDOWS.map(({ budget, span }) => ({
    name: budget,
    label: `Budget ${span}`,
    isMoney: true,
  })),
].map((field) => ({ ...field, of: (caps: Caps) => caps[field.name] }));

const DAY_FIELDS = DAYS.map(({ day, name }) => ({
  day,
  name: `daily_caps.${day}`,
  label: `Leads on ${name}s`,
  isMoney: false,
  of: ({ daily_caps }: Caps) => daily_caps?.[day],
}));

export const CAP_FIELDS: readonly CapField[] = [...LIMIT_FIELDS, ...DAY_FIELDS];

/** The terms that the form has. */
export const askedOf = ({ filters_hidden }: Terms): Term[] =>
  TERMS.filter(({ name, isAsked }) => isAsked && !(name === 'filters' && filters_hidden));

export const valueOf = (terms: Terms, name: string): unknown =>
  new Map<string, unknown>(Object.entries(terms)).get(name) ?? null;

/** A value as its field has it. */
export function textOf({ kind }: Term, value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value) && kind === 'list') return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The requested change, as the call takes it and as the service shows it: each current value with the requested one. */
export interface Asked {
  input: InputOf<'request_change'>;
  changes: Change['changes'];
}

/** @throws {ApiError} for no difference at all, or a value that is no JSON */
export function wantedOf(values: FormData, terms: Terms): Asked {
  const others: Change['changes'] = [];
  for (const term of askedOf(terms)) {
    const { name } = term;
    const before = valueOf(terms, name);
    const after = name === 'caps' ? undefined : readTerm(values, term);
    if (after !== undefined && !isSame(after, before)) others.push({ name, before, after });
  }
  const limits = capChanges(values, valueOf(terms, 'caps') as Caps);
  if (others.length + limits.length === 0) throw notSent('', 'No term was changed.');
  const given = (list: Change['changes']): Record<string, unknown> =>
    Object.fromEntries(list.map(({ name, after }) => [name, after]));
  return {
    input: {
      ...given(others),
      ...(limits.length > 0 && { caps: given(limits) }),
      campaign_id: terms.campaign.id,
      version: terms.version,
      reason: formText(values, 'reason') || null,
    },
    changes: [...others, ...limits],
  };
}

/** Undefined where nothing is typed and something must be. */
function readTerm(values: FormData, { name, label, kind, isOptional }: Term): unknown {
  const text = formText(values, name);
  if (kind === 'list') return listOf(name, text);
  if (text === '') return isOptional ? null : undefined;
  if (kind === 'number') return Number(text);
  if (kind === 'choice') return text;
  try {
    return parseExactJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw notSent(name, `The ${label.toLowerCase()} must be JSON. ${why}`);
  }
}

/** Codes of states are kept in upper case. */
const listOf = (name: string, text: string): string[] =>
  (name === 'states' ? text.toUpperCase() : text).split(/[\s,;]+/).filter((one) => one !== '');

/** The limits that differ; those of weekdays as a whole. */
function capChanges(values: FormData, caps: Caps): Change['changes'] {
  const given = ({ name }: CapField): number | undefined => formNumber(values, `caps.${name}`);
  const changes: Change['changes'] = LIMIT_FIELDS.map((field) => ({
    name: field.name,
    before: field.of(caps) ?? null,
    after: given(field) ?? null,
  }));
  const days = DAY_FIELDS.flatMap((field) => {
    const leads = given(field);
    return leads === undefined ? [] : [[field.day, leads] as const];
  });
  const isOther = DAY_FIELDS.some((field) => given(field) !== (field.of(caps) ?? undefined));
  const after = days.length === 0 ? null : Object.fromEntries(days);
  if (isOther) changes.push({ name: 'daily_caps', before: caps.daily_caps, after });
  return changes.filter((one) => one.before !== one.after);
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
