/** Settings of a record that has caps and budgets: on the wire each limit is a setting of its own. */
import { z } from 'zod';
import { withoutKeys } from '../../lib/defined.js';
import { published } from '../../lib/schema/published.js';
import { caps, checkCaps, type CapInput } from '../capsSchema.js';
import type { CapLimits } from '../rules/capLimits.js';
import { capsShape } from '../rules/planShape.js';
import { setting, type Settings, type SettingsTable, type Stored } from './settingsTable.js';

/** The limits of a record as one setting; those that are not set are not stored. */
export const Caps = setting(
  z.codec(published(z.strictObject(caps)), z.custom<CapLimits>(), {
    decode: checkCaps,
    encode: capsShape,
  }),
  {
    default: {},
    label: 'Limits',
    about: "Limits in the account's time zone",
    partnerMayAsk: true,
  },
);

const CAP_KEYS = Object.keys(caps) as (keyof CapInput)[];

/** The same table for a record in which `caps` is a setting. */
export function cappedTable<const A extends Settings & { caps: typeof Caps }, O extends Settings>(
  table: SettingsTable<A, O>,
) {
  return {
    ...table,
    changed: { ...withoutKeys(table.changed, ['caps']), ...caps },
    given: { ...withoutKeys(table.given, ['caps']), ...caps },
    view: { ...withoutKeys(table.view, ['caps']), ...caps },
    /** As a file of the account has them: the limits together. */
    inFile: {
      ...withoutKeys(table.changed, ['caps']),
      caps: z.strictObject(caps).nullable().optional(),
    },
    show(stored: Stored<A> & Partial<Stored<O>>) {
      const { caps: limits, ...others } = table.show(stored);
      return { ...others, ...limits };
    },
  };
}

/** An input with its limits together. */
export type Gathered<I extends CapInput> = Omit<I, keyof CapInput> & { caps?: CapInput };

/** The limits that are given over the present ones, as one setting; absent where none is given. */
export function gathered<I extends CapInput>(input: I, current: CapLimits): Gathered<I> {
  const given = CAP_KEYS.filter((key) => input[key] !== undefined);
  const others = withoutKeys(input, CAP_KEYS);
  if (given.length === 0) return others;
  const limits = Object.fromEntries(given.map((key) => [key, input[key]]));
  return { ...others, caps: { ...capsShape(current), ...limits } };
}
