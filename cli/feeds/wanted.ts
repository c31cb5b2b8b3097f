/** Which leads are followed: as typed, as requested from the server, and as the answers are filtered. */
import { UsageError } from '../terminal/errors.js';
import { didYouMean } from '../../src/lib/nearest.js';
import { readInstant } from '../commands/options.js';
import type { Row } from '../output/rows.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Commas mean or; several flags mean and. */
export interface Typed {
  campaignId?: string;
  supplierId?: string;
  buyerId?: string;
  status?: string;
  test?: true;
}

export interface Wanted {
  /** The input for the server, which filters by single values itself. */
  input: Row;
  /** Whether a row is wanted, by the conditions that the server did not check. */
  fits(row: Row): boolean;
  /** Leads that are not decided yet are named explicitly. */
  takesNew: boolean;
}

/**
 * @param statuses the existing ones
 * @throws {UsageError} for an unknown status, and for an empty one between commas
 */
export function readWanted(typed: Typed, statuses: readonly string[]): Wanted {
  const lists: Record<string, string[]> = {};
  const add = (key: string, flag: string, text: string | undefined) => {
    if (text !== undefined) lists[key] = listOf(flag, text);
  };
  add('campaign_id', '--campaign-id', typed.campaignId);
  add('supplier_id', '--supplier-id', typed.supplierId);
  add('buyer_id', '--buyer-id', typed.buyerId);
  add('status', '--status', typed.status?.toUpperCase());
  for (const status of lists.status ?? []) checkStatus(status, statuses);
  const several = Object.entries(lists).filter(([, values]) => values.length > 1);
  const single = Object.entries(lists).filter(([, values]) => values.length === 1);
  return {
    input: {
      ...Object.fromEntries(single.map(([key, [value]]) => [key, value])),
      is_test: typed.test,
    },
    fits: (row) => several.every(([key, values]) => values.includes(valueOf(row, key))),
    takesNew: lists.status?.includes('NEW') ?? false,
  };
}

/** Leads are selected by the decision of distribution: one with an outcome was sold. */
const valueOf = (row: Row, key: string): string => {
  const isSold = typeof row.outcome === 'string' || row.status === 'RETURNED';
  return key === 'status' && isSold ? 'ACCEPTED' : String(getOwn(row, key));
};

function listOf(flag: string, text: string): string[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.every((value) => value !== '')) return [...new Set(values)];
  throw new UsageError(`${flag} must be one value, or several separated by commas: not "${text}".`);
}

function checkStatus(status: string, statuses: readonly string[]): void {
  if (statuses.includes(status)) return;
  const hint = didYouMean(status, statuses);
  throw new UsageError(
    `There is no status ${status}.${hint} The statuses are: ${statuses.join(', ')}`,
  );
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * `--since`: `15m` ago, or an instant.
 * @param now milliseconds
 * @throws {UsageError} for any other text
 */
export function readSince(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const length = getOwn(UNITS, unit);
  if (count !== undefined && length !== undefined) return now - Number(count) * length;
  const instant = readInstant(text);
  if (instant) return instant.getTime();
  throw new UsageError(
    `--since must be how long ago, such as 30s, 15m, 2h, 1d, or an instant such as 2026-11-22T07:30:00Z: not "${text}".`,
  );
}
