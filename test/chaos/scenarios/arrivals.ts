/** The requests that reached one buyer, by its own journal, and how many at once. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { BuyerDecision, Evidence } from '../evidence/evidence.js';

/** One request, as the buyer saw it. */
export interface Arrival {
  lead_id: string;
  at: number;
  /** When it was answered or cut; Infinity when it never was. */
  ended: number;
  answered: boolean;
  decision: BuyerDecision;
}

export function arrivalsAt({ journal }: Pick<Evidence, 'journal'>, buyerId: string): Arrival[] {
  const own = journal.filter(({ buyer_id }) => buyer_id === buyerId);
  const ends = new Map(
    own.flatMap((line) => (line.step === 'decided' ? [] : [[line.request, line]])),
  );
  return own
    .filter(({ step }) => step === 'decided')
    .map(({ lead_id, at, request, decision }) => {
      const end = ends.get(request);
      const ended = end?.at ?? Infinity;
      return { lead_id, at, ended, answered: end?.step === 'answered', decision };
    });
}

/** The most open at one moment; a request that ends in the millisecond in which another comes frees its place. */
export function mostOpen(arrivals: readonly Pick<Arrival, 'at' | 'ended'>[]): number {
  const moves = arrivals
    .flatMap(({ at, ended }) => [
      { at, by: 1 },
      { at: ended, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  let open = 0;
  return moves.reduce((most, { by }) => Math.max(most, (open += by)), 0);
}

/** When a lead was first queued for its buyer; Infinity when it never was. */
const waitedFrom = ({ trail }: Lead): number =>
  Math.min(
    ...trail
      .filter(({ step, result }) => step === 'closing' && result === 'waiting')
      .map(({ at }) => at.getTime()),
  );

/** The requests that a drain made: their leads had been waiting. */
export function drainedOf(arrivals: readonly Arrival[], leads: readonly Lead[]): Arrival[] {
  const since = new Map(leads.map((lead) => [lead._id, waitedFrom(lead)]));
  return arrivals.filter(({ lead_id, at }) => at >= (since.get(lead_id) ?? Infinity));
}

/** Minimum duration, for a drain that ends as soon as it begins. */
const DURATION_MIN_MS = 1_000;

/** Leads accepted per second, from the first to the last. */
export function takenPerSecond(arrivals: readonly Arrival[]): number {
  const times = arrivals.filter(({ decision }) => decision === 'accepted').map(({ at }) => at);
  if (times.length === 0) return 0;
  const [first, last] = times.reduce(
    ([low, high], at) => [Math.min(low, at), Math.max(high, at)],
    [Infinity, 0],
  );
  return (1_000 * times.length) / Math.max(DURATION_MIN_MS, last - first);
}

export interface Fates {
  /** Leads that suppliers received as delivered or pending. */
  acknowledged: number;
  /** Of them, accepted by the buyer once. */
  once: number;
  /** Of them, sent and never answered: their rows say so, and they are listed. */
  held: string[];
  /** Of those, held although the buyer answered each request. */
  heldForNothing: string[];
  /** Of them, neither: never accepted, or accepted more than once. */
  wrong: string[];
  /** Sent more than once. */
  sentAgain: string[];
  /** Sent and not answered, but not listed as held. */
  unlisted: string[];
}

export function fatesOf(evidence: Evidence, campaignId: string, buyerId: string): Fates {
  const requests = Map.groupBy(arrivalsAt(evidence, buyerId), ({ lead_id }) => lead_id);
  const unknown = new Set(
    evidence.record.deliveries
      .filter(({ state, buyer_id }) => state === 'unknown' && buyer_id === buyerId)
      .map(({ lead_id }) => lead_id),
  );
  const leads = evidence.record.leads.filter(({ campaign_id }) => campaign_id === campaignId);
  const held = new Set(
    leads
      .filter(({ _id, status }) => status === 'PENDING' && unknown.has(_id))
      .map(({ _id }) => _id),
  );
  const taken = (id: string): number =>
    (requests.get(id) ?? []).filter(({ decision }) => decision === 'accepted').length;
  const acknowledged = acknowledgedOf(evidence, campaignId);
  const settled = acknowledged.filter((id) => !held.has(id));
  return {
    acknowledged: acknowledged.length,
    once: settled.filter((id) => taken(id) === 1).length,
    held: acknowledged.filter((id) => held.has(id)),
    heldForNothing: acknowledged.filter(
      (id) => held.has(id) && (requests.get(id) ?? []).every(({ answered }) => answered),
    ),
    wrong: settled.filter((id) => taken(id) !== 1),
    sentAgain: [...requests].filter(([, own]) => own.length > 1).map(([id]) => id),
    unlisted: [...requests]
      .filter(([id, own]) => own.some(({ answered }) => !answered) && !held.has(id))
      .map(([id]) => id),
  };
}

function acknowledgedOf({ history }: Evidence, campaignId: string): string[] {
  const asked = new Set<number>();
  const ids = new Set<string>();
  for (const event of history) {
    if (event.kind === 'invoked' && event.campaign_id === campaignId) asked.add(event.op);
    if (event.kind !== 'completed' || event.lead_id === null || !asked.has(event.op)) continue;
    if (event.answer === 'delivered' || event.answer === 'pending') ids.add(event.lead_id);
  }
  return [...ids];
}
