/** The facts in a stored trail that are outside the plan, in the order in which a walk asks for them. */
import type { Counted } from '../rules/capUse.js';
import { NOTHING, type Counters } from '../rules/caps.js';
import { eachWindow } from '../../account/rules/capLimits.js';
import type { DeliveryVerdict } from '../../deliveries/rules/delivery.js';
import type { Facts, Walk } from '../rules/distribute.js';
import type { Original } from '../../leads/rules/duplicates.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { SuppressionHit } from '../../account/rules/suppressionKeys.js';
import { NO_TURNS } from '../rules/turns.js';
import { getOwn } from '../../lib/getOwn.js';

/** The stored trail lacks a fact that the walk asks for: the two have diverged earlier. */
export class ReplayMismatch extends Error {}

/**
 * The run that walked died, or lost its lease, after a sale: the sale is stored with the entries before it, what the run
 * did afterwards is not, and a later run has resumed the lead.
 */
export class Interrupted extends ReplayMismatch {}

/**
 * Facts from the entries of the trail that the walk has not reached yet.
 * @throws {Interrupted} from `now()`, where a later run continues
 */
export function storedFacts(stored: readonly TrailEntry[], walk: Pick<Walk, 'trail'>): Facts {
  const next = (): TrailEntry => {
    const entry = stored[walk.trail.length];
    if (!entry) throw new ReplayMismatch();
    return entry;
  };
  return {
    now: () => {
      const { at, detail } = next();
      const isSold = walk.trail.at(-1)?.result === 'ACCEPTED';
      if (isSold && resumptionOf(next())) throw new Interrupted();
      return detail?.asked_at instanceof Date ? detail.asked_at : at;
    },
    turns() {
      const { step, result, detail } = next();
      const isTurn = step === 'routing' && result === 'turn';
      return isTurn ? { seq: 0, last: detail?.last as Record<string, number> } : NO_TURNS;
    },
    openUntil(buyerId) {
      const from = walk.trail.length;
      const other = stored.findIndex(({ step }, n) => n >= from && step !== 'routing');
      const entry = stored
        .slice(from, other < 0 ? undefined : other)
        .find((one) => one.buyer_id === buyerId && one.reason === 'breaker_open');
      return (entry?.detail?.until as Date | undefined) ?? null;
    },
    counters(scope, { terms }) {
      const { step, reason, buyer_id, detail } = next();
      const isThis =
        step === 'caps' &&
        reason === `${scope}_cap` &&
        (buyer_id ?? terms.buyer_id) === terms.buyer_id;
      return isThis ? countersOf(detail?.windows as Counted) : null;
    },
    answer({ terms }) {
      // Resumed after its answer was stored: then the previous entry contains it. It is the answer of that buyer
      // alone: nothing may be written between it and the next buyer that is asked.
      const resumed = resumptionOf(stored[walk.trail.length - 1]);
      const known = resumed?.buyer_id === terms.buyer_id && getOwn(ANSWERS, resumed.state);
      if (known) return { result: known, reason: resumed.said, entry: null };
      const entry = next();
      if (!isAnswer(entry) || entry.buyer_id !== terms.buyer_id) throw new ReplayMismatch();
      return { result: entry.result as Result, reason: entry.reason ?? '', entry };
    },
  };
}

type Result = DeliveryVerdict['result'];

const RESULTS: readonly string[] = ['accepted', 'rejected', 'not_taken', 'unknown'];

export const isAnswer = (entry: TrailEntry | undefined): boolean =>
  entry?.step === 'delivery' && RESULTS.includes(entry.result);

const countersOf = (counted: Counted): Counters =>
  eachWindow((window) => ({ ...NOTHING, ...counted[window] }));

/** The earlier lead that an entry of the step `duplicates` was decided on. */
export function originalOf(entry: TrailEntry | undefined): Original | null {
  if (entry?.step !== 'duplicates') return null;
  const { buyer_id = null, detail } = entry;
  return { lead_id: String(detail?.of), buyer_id, resend: detail?.resend === true };
}

/** The state of a lead when it was resumed. */
export interface Resumption {
  at: Date;
  /** The buyer of its decisive delivery row, the state of that row, and its reason for the last attempt. */
  buyer_id: string;
  state: string;
  said: string;
  tried: string[];
  missed: { buyer_id: string; reason: string }[];
  sold: number;
  hits: SuppressionHit[];
  /** The version of the plan whose delivery terms applied, when it was not that of the lead. */
  termsVersion?: number;
  /** The last request was never answered, and was not sent again, whatever the buyer declares. */
  notAgain?: boolean;
  /** A list of the organization or the campaign has the person: no buyer may have the lead now. */
  barred?: boolean;
}

/** The answers that the states of delivery rows represent when they are resumed. */
const ANSWERS: Readonly<Record<string, Result>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  failed: 'not_taken',
  abandoned: 'unknown',
};

/** Trail entry: a later run, or a drain, resumes the lead. */
export const resumedEntry = (resumed: Resumption): TrailEntry => {
  const { at, buyer_id, state, said, tried, missed, sold, hits, termsVersion } = resumed;
  const { notAgain, barred } = resumed;
  return {
    at,
    step: 'delivery',
    result: 'resumed',
    buyer_id,
    reason: state,
    detail: {
      said,
      tried,
      missed: missed.length > 0 ? missed : undefined,
      sold: sold > 0 ? sold : undefined,
      hits: hits.length > 0 ? hits : undefined,
      plan_version: termsVersion,
      not_again: notAgain || undefined,
      barred: barred || undefined,
    },
  };
};

export function resumptionOf(entry: TrailEntry | undefined): Resumption | null {
  if (entry?.step !== 'delivery' || entry.result !== 'resumed') return null;
  const { at, buyer_id = '', reason: state = '', detail = {} } = entry;
  const { said, tried, missed = [], sold = 0, hits = [], plan_version: version } = detail;
  return {
    at,
    buyer_id,
    state,
    said: String(said),
    tried: tried as string[],
    missed: missed as Resumption['missed'],
    sold: Number(sold),
    hits: hits as SuppressionHit[],
    termsVersion: version === undefined ? undefined : Number(version),
    notAgain: detail.not_again === true,
    barred: detail.barred === true,
  };
}
