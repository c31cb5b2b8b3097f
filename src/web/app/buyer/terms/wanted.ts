/** The change of terms that a form requests: only the differences from the terms shown. */
import { ApiError, notSent } from '../../lib/api.js';
import { formNumber, formText } from '../../lib/formValues.js';
import { CAP_WINDOWS } from '../../../../account/rules/capLimits.js';
import { parseExactJson } from '../../../../lib/exactJson.js';
import type { Change, InputOf, Terms } from '../types.js';

export type Wanted = InputOf<'request_change'>;
type CapName = keyof Terms['caps'];

export const CAP_FIELDS: readonly { name: CapName; label: string; isMoney: boolean }[] = [
  ...CAP_WINDOWS.map(({ cap, span }) => ({ name: cap, label: `Leads ${span}`, isMoney: false })),
  ...CAP_WINDOWS.map(({ budget, span }) => ({
    name: budget,
    label: `Budget ${span}`,
    isMoney: true,
  })),
];

/** The requested change, or the fault: no difference at all, or filters that are no JSON. */
export function wantedOf(values: FormData, terms: Terms): Wanted | ApiError {
  const price = formNumber(values, 'price');
  const caps = Object.fromEntries(
    CAP_FIELDS.map(
      ({ name }) => [name, formNumber(values, `caps.${name}`) ?? null] as const,
    ).filter(([name, value]) => value !== terms.caps[name]),
  );
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
