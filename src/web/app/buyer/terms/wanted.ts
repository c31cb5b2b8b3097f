/** The change of terms that a form requests: only the differences from the terms shown. */
import { ApiError, notSent } from '../../lib/api.js';
import { formNumber, formText } from '../../lib/formValues.js';
import { CAP_WINDOWS, type CapLimits } from '../../../../account/rules/capLimits.js';
import { parseExactJson } from '../../../../lib/exactJson.js';
import { TERMS, type Term } from '../../lib/terms.js';
import type { Change, InputOf, Terms } from '../types.js';
import { DAYS } from './values.js';

export type Wanted = InputOf<'request_change'>;
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
  label: `Leads on a ${name}`,
  isMoney: false,
  of: ({ daily_caps }: Caps) => daily_caps?.[day],
}));

export const CAP_FIELDS: readonly CapField[] = [...LIMIT_FIELDS, ...DAY_FIELDS];

/** The terms that the form asks for. */
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

/** The requested change, or the fault: no difference at all, or filters that are no JSON. */
export function wantedOf(values: FormData, terms: Terms): Wanted | ApiError {
  const changes: Record<string, unknown> = {};
  for (const term of askedOf(terms)) {
    const current = valueOf(terms, term.name);
    const given = term.name === 'caps' ? capsOf(values, current as Caps) : readTerm(values, term);
    if (given instanceof ApiError) return given;
    if (given !== undefined && !isSame(given, current)) changes[term.name] = given;
  }
  if (Object.keys(changes).length === 0) return notSent('', 'Nothing differs from the terms.');
  const reason = formText(values, 'reason') || null;
  return { ...changes, campaign_id: terms.campaign.id, version: terms.version, reason };
}

/** Undefined where nothing is typed and something must be. */
function readTerm(values: FormData, { name, label, kind, isOptional }: Term): unknown {
  const text = formText(values, name);
  if (kind === 'list') return listOf(name, text);
  if (text === '') return isOptional ? null : undefined;
  if (kind === 'number') return Number(text);
  if (kind !== 'json') return text;
  try {
    return parseExactJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return notSent(name, `The ${label.toLowerCase()} must be JSON. ${why}`);
  }
}

/** Codes of states are kept in upper case. */
const listOf = (name: string, text: string): string[] =>
  (name === 'states' ? text.toUpperCase() : text).split(/[\s,;]+/).filter((one) => one !== '');

/** As the service shows a request: each difference, with the present value and the requested one. */
export const differences = (wanted: Wanted, terms: Terms): Change['changes'] => {
  const asked = new Map<string, unknown>(Object.entries(wanted));
  return askedOf(terms).flatMap(({ name }) => {
    if (!asked.has(name)) return [];
    const [before, after] = [valueOf(terms, name), asked.get(name)];
    if (name !== 'caps') return [{ name, before, after }];
    const current = new Map<string, unknown>(Object.entries(before as Caps));
    return Object.entries(after as Caps).map(([cap, limit]) => ({
      name: `caps.${cap}`,
      before: current.get(cap),
      after: limit,
    }));
  });
};

/** The limits that differ; those of weekdays as a whole. */
function capsOf(values: FormData, current: Caps): object | undefined {
  const given = ({ name }: CapField): number | undefined => formNumber(values, `caps.${name}`);
  const limits = LIMIT_FIELDS.filter((field) => (given(field) ?? null) !== field.of(current));
  const isOther = DAY_FIELDS.some((field) => given(field) !== (field.of(current) ?? undefined));
  const days = DAY_FIELDS.filter((field) => given(field) !== undefined);
  const daily_caps =
    days.length === 0 ? null : Object.fromEntries(days.map((field) => [field.day, given(field)]));
  if (limits.length === 0 && !isOther) return undefined;
  return {
    ...Object.fromEntries(limits.map((field) => [field.name, given(field) ?? null])),
    ...(isOther ? { daily_caps } : {}),
  };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
