import type { Micros } from '../../fields/money.js';
import type { Loss } from './loss.js';
import type { ShownStatus } from './leadStatus.js';
import type { SaleOutcome } from './saleChange.js';

/** A lead's status as it is shown: the one after its sale includes the sale's outcome. */
export type CountedStatus = Exclude<ShownStatus, 'NEW' | 'WITHDRAWN'>;

/** What a sale brings and costs now; `outcome` and `returned` are absent where none was reported. */
export interface CountedSale {
  buyer_id: string;
  price: Micros;
  cost: Micros;
  outcome?: SaleOutcome;
  returned?: true;
}

/** The sums that a lead has added. */
export interface Contribution {
  status: CountedStatus;
  sales: CountedSale[];
  /** It was made to be sold again: its supplier has not posted it. Absent too where an earlier release counted it. */
  resold?: true;
  /** Its converted sales but for the first. Absent: none, or an earlier release counted it. */
  converted_again?: number;
  /** The hour of the account's clock in which it was received, 0 to 23. Absent where an earlier release counted it. */
  hour?: number;
  /** Why it was not sold. Absent: it was, or it waits, or an earlier release counted it. */
  loss?: Loss;
}
