/** What a filter is, in the normal form that is stored and evaluated. */
import type { Scalar } from './values.js';
import type { Schedule } from './schedule.js';
import type { ZipRadius } from './zips.js';

/** Every operator by its one stored spelling (contract 2.7). */
export const OPERATORS = [
  '==',
  '!=',
  'IN',
  'NOT IN',
  '>',
  '<',
  '>=',
  '<=',
  'CONTAINS',
  'DOES NOT CONTAIN',
  'IS EMPTY',
  'IS NOT EMPTY',
  'MATCHES',
  '>= N days ago',
  '<= N days ago',
  'IN LIST',
  'WITHIN RADIUS',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** A list for IN, NOT IN and IN LIST, a radius for WITHIN RADIUS, whole days for N days ago. */
export type FilterValue = Scalar | Scalar[] | ZipRadius;

export interface FilterRule {
  id: string;
  field: string;
  operator: Operator;
  value?: FilterValue;
  /** Sent to the supplier instead of the generated sentence. */
  reason?: string;
  /** When the rule applies; always, without one. */
  schedule?: Schedule;
}

/** Rules joined by AND (`all`) or OR (`any`), nested. */
export type FilterGroup = { all: FilterNode[] } | { any: FilterNode[] };
export type FilterNode = FilterRule | FilterGroup;

/** What a decision depends on in addition to the lead and the rules. */
export interface FilterContext {
  now: Date;
  /** IANA name of the account's time zone. */
  timeZone: string;
  /** More fields may come: a rule on an absent field is undecided, and does not keep the lead out. */
  partial?: boolean;
}
