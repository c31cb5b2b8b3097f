/** What metrics tell of the database: it is the same in every process, and agrees with the record. */
import { raceTimeout } from '../../lib/withTimeout.js';

export interface ServiceState {
  /** Deliveries that wait for a buyer. `parked`: to be sent; `unknown`: sent and never answered. */
  queues: readonly {
    buyer_id: string;
    state: 'parked' | 'unknown';
    /** Counted up to a limit. */
    deliveries: number;
    oldest: Date;
  }[];
  /** The buyers whose breaker is not closed. */
  openBreakers: readonly string[];
  /** Where something is limited: how much of the limit is used, 1 for all of it. */
  caps: readonly {
    scope: string;
    campaign_id: string;
    buyer_id?: string;
    supplier_id?: string;
    window: string;
    /** count: leads. budget: money. */
    of: string;
    ratio: number;
  }[];
  /** Events on their way to automations; `oldest`: when the oldest that waits happened. */
  events: { waiting: number; oldest: Date | null; deadLettered: number };
  /** Leads that arrived since midnight in the time zone of their account, and what they have brought. */
  today: readonly {
    campaign_id: string;
    currency: string;
    leads: Readonly<Record<string, number>>;
    /** In units of the currency. */
    revenue: number;
    cost: number;
  }[];
  names: { campaigns: ReadonlyMap<string, string>; buyers: ReadonlyMap<string, string> };
  /** How many of each the other parts leave out, because there are too many. */
  leftOut: Readonly<Record<'organizations' | 'buyers' | 'caps', number>>;
  /** By the database's clock. */
  at: Date;
}

/** How long one reading may take, in milliseconds: scrapers give up after 10 seconds by default. */
const READ_MS = 5_000;

export interface StateReaderOptions {
  read: () => Promise<ServiceState>;
  /** No more than one reading in this time, in milliseconds, however often the metrics are asked for. */
  everyMs: number;
  onError: (error: unknown) => void;
  /** For tests: milliseconds on a clock that never jumps. */
  monotonic?: () => number;
}

export type StateReader = ReturnType<typeof createStateReader>;

export function createStateReader({
  read,
  everyMs,
  onError,
  monotonic = () => performance.now(),
}: StateReaderOptions) {
  let begunAt = -Infinity;
  let readAt = monotonic();
  let failures = 0;
  let latest: Promise<ServiceState | null> = Promise.resolve(null);
  const readOnce = async (): Promise<ServiceState | null> => {
    try {
      const late = () => Promise.reject(new Error(`No answer within ${READ_MS} ms`));
      const state = await raceTimeout(read(), READ_MS, late);
      readAt = monotonic();
      return state;
    } catch (error) {
      failures += 1;
      onError(error);
      return null;
    }
  };
  return {
    /** The state, a moment old at most; null when it cannot be read: an old one would be mistaken for this one. */
    read(): Promise<ServiceState | null> {
      if (monotonic() - begunAt < everyMs) return latest;
      begunAt = monotonic();
      latest = readOnce();
      return latest;
    },
    /** Seconds since it was last read, or since the start. */
    ageSeconds: (): number => (monotonic() - readAt) / 1_000,
    failures: (): number => failures,
  };
}
