/** The filters of the list of leads, as the address holds them and as the service takes them. */
import type { InputOf } from '../types.js';

type Filter = InputOf<'list_sales'>;

export const FILTERS = [
  'search',
  'from',
  'to',
  'campaign_id',
  'status',
  'outcome',
  'is_test',
] as const;
export type FilterValues = Partial<Record<(typeof FILTERS)[number], string>>;

/** A value that the service refuses, from a changed address, shows its refusal. */
export const filterOf = ({ is_test, ...filters }: FilterValues): Filter => ({
  ...(filters as Filter),
  is_test: is_test === 'true' ? true : undefined,
});
