/** Which events are followed: as typed, as requested from the server, and as its answers are filtered. */
import { getOwn } from '../../src/lib/getOwn.js';
import { didYouMean } from '../../src/lib/nearest.js';
import { isRow, type Row } from '../output/rows.js';
import { UsageError } from '../terminal/errors.js';

/** Commas mean or; several flags mean and. */
export interface TypedEvents {
  type?: string;
  leadId?: string;
  campaignId?: string;
  buyerId?: string;
  supplierId?: string;
}

export interface WantedEvents {
  /** The input for the server, which filters by one type and one lead itself. */
  input: Row;
  /** Whether an event is wanted, by the conditions that the server did not check. */
  fits(event: Row): boolean;
}

const KEYS = {
  type: 'type',
  leadId: 'lead_id',
  campaignId: 'campaign_id',
  buyerId: 'buyer_id',
  supplierId: 'supplier_id',
} as const;

/** Those by which the server filters, if there is one value. */
const BY_SERVER: readonly string[] = ['type', 'lead_id'];

/**
 * @param types the existing ones
 * @throws {UsageError} for an unknown type, and for an empty value between commas
 */
export function readWantedEvents(typed: TypedEvents, types: readonly string[] = []): WantedEvents {
  const flags = Object.keys(KEYS) as (keyof TypedEvents)[];
  const lists = flags.flatMap((flag) => {
    const text = typed[flag];
    return text === undefined ? [] : [{ key: KEYS[flag], values: valuesOf(KEYS[flag], text) }];
  });
  for (const { key, values } of lists)
    if (key === 'type') values.forEach((type) => checkType(type, types));
  const asked = lists.filter(({ key, values }) => values.length === 1 && BY_SERVER.includes(key));
  const left = lists.filter((list) => !asked.includes(list));
  return {
    input: Object.fromEntries(asked.map(({ key, values }) => [key, values[0]])),
    fits(event) {
      const facts = factsOf(event);
      return left.every(({ key, values }) => values.includes(String(getOwn(facts, key))));
    },
  };
}

/** What an event says, of its lead too, by one name each. */
export function factsOf(event: Row): Row {
  const data = isRow(event.data) ? event.data : {};
  const { type, lead_id } = event;
  return { ...data, ...(isRow(data.lead) ? data.lead : {}), type, lead_id };
}

function valuesOf(key: string, text: string): string[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.every((value) => value !== '')) return [...new Set(values)];
  throw new UsageError(
    `--${key.replaceAll('_', '-')} must be one value, or several separated by commas: not "${text}".`,
  );
}

function checkType(type: string, types: readonly string[]): void {
  if (types.includes(type)) return;
  const hint = didYouMean(type, types);
  throw new UsageError(`There is no event ${type}.${hint} The events are: ${types.join(', ')}`);
}
