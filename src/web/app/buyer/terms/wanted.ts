/** The change of terms that a form requests: only the differences from the terms shown. */
import { ApiError, notSent } from '../../lib/api.js';
import { formNumber, formText } from '../../lib/formValues.js';
import { CAP_WINDOWS } from '../../../../account/rules/capLimits.js';
import { parseExactJson } from '../../../../lib/exactJson.js';
import type { Change, InputOf, Terms } from '../types.js';
import { DAYS } from './values.js';

export type Wanted = InputOf<'request_change'>;
type Caps = Terms['caps'];
type CapName = keyof Caps;

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

/** The requested change, or the fault: no difference at all, or filters that are no JSON. */
export function wantedOf(values: FormData, terms: Terms): Wanted | ApiError {
  const price = formNumber(values, 'price');
  const caps = capsOf(values, terms.caps);
  const states = statesOf(formText(values, 'states'));
  const filters = terms.filters_hidden ? null : filtersOf(formText(values, 'filters'));
  if (filters instanceof ApiError) return filters;
  const wanted = {
    ...(price === undefined || price === terms.price ? {} : { price }),
    ...(Object.keys(caps).length === 0 ? {} : { caps }),
    ...(isSame(states, terms.states) ? {} : { states }),
    ...(terms.filters_hidden || isSame(filters, terms.filters ?? null) ? {} : { filters }),
  };
  if (Object.keys(wanted).length === 0) return notSent('', 'Nothing differs from the terms.');
  const reason = formText(values, 'reason') || null;
  // The service reports faults inside it.
  return { ...wanted, campaign_id: terms.campaign.id, version: terms.version, reason } as Wanted;
}

/** As the service shows a request: each difference, with the present value and the requested one. */
export function differences(wanted: Wanted, terms: Terms): Change['changes'] {
  const { price, caps, states, filters } = wanted;
  return [
    ...(price === undefined ? [] : [{ name: 'price', before: terms.price, after: price }]),
    ...Object.entries(caps ?? {}).map(([name, after]) => ({
      name: `caps.${name}`,
      before: terms.caps[name as CapName],
      after,
    })),
    ...(states === undefined ? [] : [{ name: 'states', before: terms.states, after: states }]),
    ...(filters === undefined ? [] : [{ name: 'filters', before: terms.filters, after: filters }]),
  ];
}

/** The limits that differ; those of weekdays as a whole. */
function capsOf(values: FormData, current: Caps): NonNullable<Wanted['caps']> {
  const given = ({ name }: CapField): number | undefined => formNumber(values, `caps.${name}`);
  const limits = LIMIT_FIELDS.filter((field) => (given(field) ?? null) !== field.of(current));
  const isOther = DAY_FIELDS.some((field) => given(field) !== (field.of(current) ?? undefined));
  const days = DAY_FIELDS.filter((field) => given(field) !== undefined);
  const daily_caps =
    days.length === 0 ? null : Object.fromEntries(days.map((field) => [field.day, given(field)]));
  return {
    ...Object.fromEntries(limits.map((field) => [field.name, given(field) ?? null])),
    ...(isOther ? { daily_caps } : {}),
  };
}

const statesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .filter((state) => state !== '')
    .map((state) => state.toUpperCase());

function filtersOf(text: string): unknown {
  if (text === '') return null;
  try {
    return parseExactJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return notSent('filters', `The filters must be JSON. ${why}`);
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
