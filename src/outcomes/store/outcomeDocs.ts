/** Changes of sales as they are stored: kept as long as their leads. */
import type { ChangeAnswer } from '../../leads/rules/saleChange.js';
import type { SaleChange } from '../types.js';

export interface ChangeDoc extends Omit<SaleChange, 'id'> {
  /** Set by the caller, so that a repetition is the same change; else a random one. */
  _id: string;
  received_at: Date;
  /** open: will be applied, whatever happens to the caller. */
  state: 'open' | 'made';
  /** Its number among the changes of its lead; absent where there was nothing to change. */
  seq?: number;
  /** The answer that a repetition receives. */
  answer?: ChangeAnswer;
}

/** The ids by which a change is found: in Temporal, and in the database. */
export type ChangeRef = Pick<ChangeDoc, '_id' | 'org_id' | 'campaign_id' | 'lead_id'>;
