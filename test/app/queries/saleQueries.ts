import { findAttempts } from '../../../src/deliveries/store/buyerAttempts.js';
import { findSale, findSales, type SaleFilter } from '../../../src/leads/store/salePages.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

const OWN = { org_id: 'lister', buyer_id: 'buyers-0', is_test: false } as const;
const FIRST = { after: null, limit: 4 };

/** Queries of a buyer's portal about its sales and its deliveries. */
export async function sendSales(
  { during }: Pick<Recorder, 'during'>,
  { leads, deliveries }: TestDatabase['collections'],
): Promise<void> {
  const asked: [what: string, filter: Partial<SaleFilter>][] = [
    ['all', {}],
    ['of an outcome', { outcome: null }],
    ['of a person', { keys: ['phone:+15550000000'] }],
    ['by the beginning of an id', { idPrefix: 'listed-1001' }],
  ];
  for (const [what, filter] of asked)
    await during(`findSales, ${what}`, () => findSales(leads, { ...OWN, ...filter }, FIRST));
  await during('findSale', () => findSale(leads, { ...OWN, lead_id: 'listed-0' }));
  const waiting = { org_id: 'org', buyer_id: 'buyer-1', states: ['parked' as const] };
  await during('findAttempts', () => findAttempts(deliveries, waiting, FIRST));
}
