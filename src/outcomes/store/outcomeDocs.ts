/** Changes of sales as they are stored: kept as long as their leads. */
import type { ChangeAnswer, ChangeAsk, ChangeAuthor } from '../../leads/rules/saleChange.js';

export interface ChangeDoc {
  /** Given by who asks, so that the same again is the same change; else a random one. */
  _id: string;
  org_id: string;
  campaign_id: string;
  lead_id: string;
  buyer_id: string;
  by: ChangeAuthor;
  ask: ChangeAsk;
  body_hash: string;
  received_at: Date;
  /** open: to be made, whatever becomes of who asked. */
  state: 'open' | 'made';
  /** Which change of its lead it was; absent where there was nothing to change. */
  seq?: number;
  /** What is said to who asks again. */
  answer?: ChangeAnswer;
}

/** What a change is found by: in Temporal, and in the database. */
export type ChangeRef = Pick<ChangeDoc, '_id' | 'org_id' | 'campaign_id' | 'lead_id'>;
