import type { TlsTrouble } from '../../platform/outbound/tlsTrouble.js';
import type { BuyerEvent } from '../../events/store/eventDocs.js';
import type { CommandDoc } from './commandDoc.js';

/** The kind of request at which a buyer failed. */
export type FailureSource = 'delivery' | 'ping';

/** Shared by all processes: whether a buyer's queue is being drained, and whether the buyer is healthy. */
export interface DestinationDoc {
  /** The buyer's id. */
  _id: string;
  org_id: string;
  awake: boolean;
  awake_at: Date;
  last_drain_at?: Date;
  /** Failed requests in a row; an answer of any other kind sets it to 0. */
  failures: number;
  /** The kind that failed; `delivery`, once one has, until it has recovered. Absent: `delivery`. */
  failure_source?: FailureSource;
  /** Why it was not reached, where the TLS of its server is too weak or too old. */
  tls?: TlsTrouble | null;
  /** How often in a row it was paused. */
  pauses: number;
  /** Nothing is sent to the buyer before then. */
  open_until: Date | null;
  /** Its queue is not drained before then. */
  retry_at: Date | null;
  /** Since when its breaker is not closed. */
  paused_at?: Date | null;
  /** How often it was probed since then, after a cooldown, and failed; and when it was last. */
  probes?: number;
  probed_at?: Date;
  /** An operator holds its queue: only rows in `asked` are sent. */
  held?: boolean;
  /** Waves that drains have open: the number of requests, and when all of them have ended. */
  sending?: { run: string; n: number; until: Date }[];
  /** Rows that an operator wants to be sent before any other. */
  asked?: string[];
  /** The latest command on the whole queue. */
  last_command?: Pick<CommandDoc, '_id' | 'action' | 'by' | 'note' | 'at'>;
  /** Number of events written so far; numbers the next one. */
  event_seq?: number;
  /** Events that are not in the outbox yet. */
  events?: BuyerEvent[];
}
