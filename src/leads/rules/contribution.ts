import type { Micros } from '../../fields/money.js';
import type { ShownStatus } from './leadStatus.js';
import type { SaleOutcome } from './saleChange.js';

/** As a lead is shown: its status after its sale is its status then. */
export type CountedStatus = Exclude<ShownStatus, 'NEW' | 'WITHDRAWN'>;

/** What a sale brings and costs now; absent: nothing was said of it, and it was not given back. */
export interface CountedSale {
  buyer_id: string;
  price: Micros;
  cost: Micros;
  outcome?: SaleOutcome;
  returned?: true;
}

/** What a lead has added to the sums. */
export interface Contribution {
  status: CountedStatus;
  sales: CountedSale[];
}
