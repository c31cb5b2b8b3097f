/** Money and times as people read them. */
import type { Micros } from '../../src/fields/money.js';

/** Micro-units as money of the account's currency, such as $42.50. */
export const formatMoney = (amount: Micros, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 1_000_000);

export const formatMs = (ms: number): string => `${Math.round(ms).toLocaleString('en-US')} ms`;

export const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
