/** Settings of a record that has caps and budgets: on the wire each limit is a separate setting. */
import { z } from 'zod';
import { withoutKeys } from '../../lib/defined.js';
import { published } from '../../lib/schema/published.js';
import { CAP_KEYS, caps, capsGiven, checkCaps, type CapInput } from '../capsSchema.js';
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
    label: 'Caps and budgets',
    about: "Limits in the account's time zone",
  },
);

/** The same table for a record in which `caps` is a setting. */
export function cappedTable<const A extends Settings & { caps: typeof Caps }, O extends Settings>(
  table: SettingsTable<A, O>,
) {
  return {
    ...table,
    /** With the limits as one setting in answers, too. */
    whole: table,
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
  const limits = capsGiven(input, current);
  const others = withoutKeys(input, CAP_KEYS);
  return limits ? { ...others, caps: limits } : others;
}
