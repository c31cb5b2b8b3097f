/** What is kept of a decision about a ping: whose person never became a lead has nothing of it stored. */
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { SkippedBuyer } from '../../routing/rules/routing.js';

/** Details that name a value of the ping; `miles` tells where somebody lives. */
const VALUES: readonly string[] = ['state', 'zip_code', 'miles'];

export const failuresWithoutValues = (failures: readonly FilterFailure[]): FilterFailure[] =>
  failures.map(({ actual: _actual, ...failure }) => failure);

/** Why a buyer is left out: what it asks for, and not what the ping says. */
export function skipWithoutValues({ buyer_id, reason, detail }: SkippedBuyer): SkippedBuyer {
  const kept = Object.entries(detail)
    .filter(([name]) => !VALUES.includes(name))
    .map(([name, value]): [string, unknown] => [name, withoutActual(value)]);
  return { buyer_id, reason, detail: Object.fromEntries(kept) };
}

/** Failures of filters name the value that they saw. */
const withoutActual = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item: unknown) => without('actual', item)) : value;

const without = (name: string, item: unknown): unknown =>
  typeof item === 'object' && item !== null
    ? Object.fromEntries(Object.entries(item).filter(([key]) => key !== name))
    : item;
