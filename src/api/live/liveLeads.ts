/** Leads as they arrive, as server-sent events (HTML, section 9.2): bounded, resumable, ended with the caller's right to them. */
import { Readable } from 'node:stream';
import { AppError } from '../../lib/errors.js';
import type { ActionDeps } from '../actions/action.js';
import { requireNamed } from '../actions/leadFilter.js';
import { contextOfCall } from '../actions/named.js';
import { showsPeople } from '../actions/exits.js';
import { seesNoPeople, type Caller } from '../calls/caller.js';
import { endStalled } from '../calls/fileStream.js';
import { createReadAudit } from '../calls/readAudit.js';
import { mayRun } from '../calls/rights.js';
import { enterCall, refused } from '../calls/runCall.js';
import { createArrivals, type ArrivalsDeps } from './arrivals.js';
import { createPlaces } from './places.js';
import { FOLLOW_LEADS, filterOf, inputOf, readEventId, type FollowInput } from './followLeads.js';
import { liveEvents } from './liveEvents.js';

/** Who follows: the caller, and the same caller as it is later; null once it is gone. */
export interface Follower {
  caller: Caller;
  again(): Promise<Caller | null>;
  /** Of the session or the key: how many feeds one may have. */
  whose: string;
}

interface Asked {
  query: URLSearchParams;
  /** Of the last event that the client has had. */
  lastEventId: string | undefined;
}

export interface LiveOptions extends Pick<ArrivalsDeps, 'everyMs' | 'settledMs'> {
  /** Milliseconds between two looks at whether the caller may still follow. */
  checkMs?: number;
}

/** Long enough for several heartbeats: a client that takes none of them is gone, or only occupies its place. */
const STALLED_MS = 60_000;
const CHECK_MS = 5_000;

export type LiveLeads = ReturnType<typeof createLiveLeads>;

export function createLiveLeads(deps: ActionDeps, options: LiveOptions = {}) {
  const { collections, clock } = deps;
  const recordRead = createReadAudit(collections);
  const arrivals = createArrivals({ collections, clock, ...options });
  const places = createPlaces();
  const ending = new AbortController();
  return {
    /**
     * The feed of a caller, from the place that it names, or from now on.
     * @throws {AppError} as `get_leads`; `rate_limited` where the caller, its organization or the process has as many
     * feeds as it may
     */
    async open(follower: Follower, asked: Asked): Promise<Readable> {
      const { caller, whose } = follower;
      const isBlind = seesNoPeople(caller);
      if (ending.signal.aborted) throw stopping();
      const body = () => Promise.resolve(inputOf(asked.query));
      const { input, exits, entry, kept } = await enterCall(FOLLOW_LEADS, caller, body);
      const wanted = input as FollowInput;
      const from = asked.lastEventId ? readEventId(asked.lastEventId) : null;
      const context = contextOfCall(FOLLOW_LEADS, caller, deps);
      await requireNamed(wanted, context).catch((error: unknown) =>
        refused(error, FOLLOW_LEADS, caller),
      );
      const leave = places.take({ org_id: caller.org_id, whose });
      try {
        if (showsPeople(exits, isBlind)) await recordRead(entry, kept, context);
      } catch (error) {
        leave();
        throw error;
      }
      const stream = Readable.from(
        liveEvents({
          arrivals,
          from,
          scope: { org_id: caller.org_id, is_test: wanted.is_test },
          filter: filterOf(wanted),
          isBlind,
          checkMs: options.checkMs ?? CHECK_MS,
          signal: ending.signal,
          now: () => Number(clock.now()),
          async isAllowed() {
            const now = await follower.again();
            // Of a role that sees other parts another feed begins.
            return now !== null && mayRun(FOLLOW_LEADS, now) && seesNoPeople(now) === isBlind;
          },
        }),
        { objectMode: false },
      );
      endStalled(stream, STALLED_MS, leave);
      stream.once('close', leave);
      return stream;
    },
    /** Ends every feed: its clients come back to another process, or to the next one. */
    stop: (): void => ending.abort(),
  };
}

const stopping = (): AppError =>
  new AppError('unavailable', 'The service is stopping. Connect again.', { retry_after: 1 });
