/** How the console names the states of buyers and suppliers. */
import { labelOfSetting } from '../../lib/settings.js';
import type { OutputOf, RowOf } from '../../lib/useActions.js';
import type { Word } from '../../ui/index.js';
import type { Side } from './types.js';

export type BuyerRow = RowOf<'list_buyers'>;
export type SupplierRow = RowOf<'list_suppliers'>;
export type Buyer = OutputOf<'get_buyer'>;
export type Supplier = OutputOf<'get_supplier'>;

export const isPaused = ({ status }: { status: string }): boolean => status === 'paused';

/** The worst of what is known about it. */
export function buyerWord(buyer: Omit<BuyerRow, 'id' | 'name'> | Buyer): Word {
  const figures = 'figures' in buyer ? buyer.figures : undefined;
  if (buyer.archived_at !== null) return ['Archived', 'neutral'];
  if (isPaused(buyer)) return ['Paused', 'neutral'];
  if (figures?.breaker === 'open') return ['Failing', 'bad'];
  if (figures?.breaker === 'half-open') return ['Recovering', 'warning'];
  if (figures?.queue_held) return ['Held', 'warning'];
  if ('tls_problem' in buyer && buyer.tls_problem) return ['TLS problem', 'warning'];
  if (buyer.test_mode) return [labelOfSetting('buyer', 'test_mode'), 'info'];
  return ['Active', 'good'];
}

export function supplierWord(supplier: Omit<SupplierRow, 'id' | 'name'> | Supplier): Word {
  if (isPaused(supplier)) return ['Paused', 'neutral'];
  if ('figures' in supplier && supplier.figures?.silent_since) return ['Silent', 'warning'];
  if (supplier.test_mode) return [labelOfSetting('supplier', 'test_mode'), 'info'];
  return ['Active', 'good'];
}

/** The address of one, or of a part of it. */
export const pathOf = (side: Side, id: string, tab = ''): string =>
  `/${side}s/${encodeURIComponent(id)}${tab === '' ? '' : `/${tab}`}`;

/** `deliveries`, `one delivery`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** The row of the buyer among the buyers of a campaign. */
export const linkPath = (campaignId: string, buyerId: string): string =>
  `/campaigns/${campaignId}/buyers?buyer=${buyerId}`;

/** What each tab of a buyer's page shows a part of. */
export interface BuyerTabProps {
  buyer: Buyer;
}

/** The same of a supplier. */
export interface SupplierTabProps {
  supplier: Supplier;
}
