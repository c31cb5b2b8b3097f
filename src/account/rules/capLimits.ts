import type { Micros } from '../../fields/money.js';

/** Upper bounds per window; null or absent is no limit. Budgets are money. */
export interface CapLimits {
  daily_cap?: number | null;
  weekly_cap?: number | null;
  monthly_cap?: number | null;
  total_cap?: number | null;
  daily_budget?: Micros | null;
  weekly_budget?: Micros | null;
  monthly_budget?: Micros | null;
  total_budget?: Micros | null;
}

/** Each window with its limits: leads and money. */
export const CAP_WINDOWS = [
  { window: 'day', cap: 'daily_cap', budget: 'daily_budget' },
  { window: 'week', cap: 'weekly_cap', budget: 'weekly_budget' },
  { window: 'month', cap: 'monthly_cap', budget: 'monthly_budget' },
  { window: 'total', cap: 'total_cap', budget: 'total_budget' },
] as const satisfies readonly {
  window: 'day' | 'week' | 'month' | 'total';
  cap: keyof CapLimits;
  budget: keyof CapLimits;
}[];

export type CapWindow = (typeof CAP_WINDOWS)[number]['window'];

/** Whether anything is limited at all; without limits nothing needs to be counted. */
export const hasCaps = (limits: CapLimits): boolean =>
  CAP_WINDOWS.some(({ cap, budget }) => limits[cap] != null || limits[budget] != null);

/** The owners of caps, in the order in which their caps are checked. */
export const CAP_SCOPES = ['buyer', 'supplier', 'campaign'] as const;

export type CapScope = (typeof CAP_SCOPES)[number];
