/** How pings are stored. */
import type { Ping } from '../rules/ping.js';
import type { PingContribution } from '../rules/rollups.js';

export interface PingDoc extends Ping {
  /** The batch that expired it, while its event is not in the outbox yet. */
  untold?: string;
  /** The reports do not include its current state yet. */
  uncounted?: true;
  /** How often its contribution to the reports has changed. */
  changes?: number;
  /** The contribution that the reports include, and since which batch. */
  counted?: { seq: number; contribution: PingContribution | null };
}

/** How many pings of one day a link with a ping cap has had. */
export interface PingCountDoc {
  /** `${kind}:${campaign_id}:${id}:${day}` */
  _id: string;
  count: number;
  /** Deleted after this. */
  forget_at: Date;
}
