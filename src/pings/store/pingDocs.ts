/** How pings are stored. */
import type { Ping } from '../rules/ping.js';
import type { PingContribution } from '../rules/rollups.js';

export interface PingDoc extends Ping {
  /** Marked as expired by this batch, whose event is not in the outbox yet. */
  untold?: string;
  /** The reports do not hold it as it is now. */
  uncounted?: true;
  /** How often what reports count of it has changed. */
  changes?: number;
  /** What the reports hold of it, and since which batch. */
  counted?: { seq: number; contribution: PingContribution | null };
}

/** How many pings of one day a link with a ping cap has had. */
export interface PingCountDoc {
  /** `${kind}:${campaign_id}:${id}:${day}` */
  _id: string;
  count: number;
  /** Forgotten after this. */
  forget_at: Date;
}
