/** The text of one feed: what was missed, then what arrives, and signs of life between. */
import type { Arrival } from '../../leads/store/arrivals.js';
import { isAfter, type Arrivals, type LiveLead, type LiveScope, type Step } from './arrivals.js';
import { eventIdOf, fits, type filterOf } from './followLeads.js';

export interface LiveEvents {
  arrivals: Arrivals;
  /** The place that the client has reached; null: it begins now. */
  from: Arrival | null;
  scope: LiveScope;
  filter: ReturnType<typeof filterOf>;
  /** The caller sees no people. */
  isBlind: boolean;
  checkMs: number;
  /** Aborted when the service stops. */
  signal: AbortSignal;
  now(): number;
  /** Whether the caller may still see leads. */
  isAllowed(): Promise<boolean>;
}

/** A client that was away for longer has a list to read, not a feed. */
const MISSED_MS = 3_600_000;
/** Batches of missed leads. */
const MISSED_BATCHES = 10;
/** Leads that wait for a client that reads slowly: it comes back to the place that it has reached. */
const WAITING_MAX = 5_000;
const HEARTBEAT_MS = 15_000;
/** When a browser comes back. */
const RETRY_MS = 3_000;

export async function* liveEvents(feed: LiveEvents): AsyncGenerator<string> {
  const inbox = createInbox(feed.signal);
  const mayGoOn = createCheck(feed);
  // Follows first: what arrives while missed leads are read is there when they have been.
  const leave = feed.arrivals.follow(feed.scope, (step) => inbox.put(step));
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    let place = feed.from ?? feed.arrivals.settled();
    const horizon = new Date(feed.now() - MISSED_MS);
    if (place.at < horizon) {
      yield gapEvent(place);
      place = { at: horizon, id: '' };
    }
    let batches = 0;
    for (let isBehind = feed.from !== null; isBehind; batches += 1) {
      if (batches === MISSED_BATCHES) {
        yield gapEvent(place);
        place = feed.arrivals.settled();
        break;
      }
      const step = await feed.arrivals.readAfter(feed.scope, place);
      // A client may take its time for each of the batches.
      if (!(await mayGoOn())) {
        yield ENDED;
        return;
      }
      yield textOf(step.leads, place, feed) + placeEvent(step.reached);
      place = step.reached;
      isBehind = step.isFull;
    }
    yield* following(feed, { inbox, mayGoOn }, place);
  } finally {
    leave();
  }
}

const ENDED = 'event: end\ndata: {"reason":"signed_out"}\n\n';

/** Whether the caller may still follow, asked at most once in each `checkMs`. */
function createCheck({
  checkMs,
  ...feed
}: Pick<LiveEvents, 'checkMs' | 'isAllowed'>): () => Promise<boolean> {
  let checkedAt = performance.now();
  return async () => {
    if (performance.now() - checkedAt < checkMs) return true;
    // Where it cannot be read now, nothing can: no lead is sent either.
    const isStill = await feed.isAllowed().catch(() => true);
    checkedAt = performance.now();
    return isStill;
  };
}

interface Following {
  inbox: Inbox;
  mayGoOn: () => Promise<boolean>;
}

async function* following(
  feed: LiveEvents,
  { inbox, mayGoOn }: Following,
  from: Arrival,
): AsyncGenerator<string> {
  let place = from;
  let spokenAt = performance.now();
  while (!feed.signal.aborted && !inbox.isFull()) {
    const steps = await inbox.take(feed.checkMs);
    if (!(await mayGoOn())) {
      yield ENDED;
      return;
    }
    let text = '';
    for (const step of steps) {
      text += textOf(step.leads, place, feed);
      if (isAfter(step.reached, place)) place = step.reached;
    }
    if (text === '' && performance.now() - spokenAt < HEARTBEAT_MS) continue;
    yield text + placeEvent(place);
    spokenAt = performance.now();
  }
}

interface Inbox {
  put(step: Step): void;
  /** What has come, or after `waitMs` nothing. */
  take(waitMs: number): Promise<readonly Step[]>;
  isFull(): boolean;
}

function createInbox(signal: AbortSignal): Inbox {
  let steps: Step[] = [];
  let waiting = 0;
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    put(step) {
      // A client that does not read keeps the place that it has: only what it can still take is held.
      if (waiting > WAITING_MAX) return;
      steps.push(step);
      waiting += step.leads.length;
      wake();
    },
    async take(waitMs) {
      if (steps.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const taken = steps;
      steps = [];
      waiting = 0;
      return taken;
    },
    isFull: () => waiting > WAITING_MAX,
  };
}

const textOf = (
  leads: readonly LiveLead[],
  after: Arrival,
  { filter, isBlind }: Pick<LiveEvents, 'filter' | 'isBlind'>,
): string =>
  leads
    .filter(({ arrival, lead }) => isAfter(arrival, after) && fits(lead, filter))
    .map(
      ({ arrival, text }) => `id: ${eventIdOf(arrival)}\nevent: lead\ndata: ${text(isBlind)}\n\n`,
    )
    .join('');

/** Without data a client keeps the id and shows nothing: it resumes from there. */
const placeEvent = (place: Arrival): string => `id: ${eventIdOf(place)}\n\n`;

/** Leads from there on are left out: the list has them. */
const gapEvent = ({ at }: Arrival): string =>
  `event: gap\ndata: ${JSON.stringify({ since: at.toISOString() })}\n\n`;
