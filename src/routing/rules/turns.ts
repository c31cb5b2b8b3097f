/**
 * Turns: which of several equally good buyers is next. Each offer of a lead takes one, and the buyer that has waited
 * longest is first (contract 4.2). Round robin is this rule with all buyers equal.
 */
import {
  rankingOf,
  type BuyerTerms,
  type Plan,
  type RankingMethod,
} from '../../account/rules/plan.js';
import { getOwn } from '../../lib/getOwn.js';

/** For one campaign: when each buyer had its latest turn, counted in turns. */
export interface Turns {
  /** Number of turns taken. */
  seq: number;
  /** By buyer; a missing one has not had a turn yet. */
  last: Readonly<Record<string, number>>;
}

export const NO_TURNS: Turns = { seq: 0, last: {} };

/** Whether two buyers are equally good for a distribution method. */
const EQUAL: Record<RankingMethod, (a: BuyerTerms, b: BuyerTerms) => boolean> = {
  WATERFALL: (a, b) => a.priority === b.priority,
  HIGHEST_BID: (a, b) => a.price === b.price && a.priority === b.priority,
  ROUND_ROBIN: () => true,
  WEIGHTED: () => false,
  // The ping has ordered them.
  LOCKED_BIDS: () => false,
  STATIC_BIDS: (a, b) => a.locked?.rank === b.locked?.rank && a.priority === b.priority,
};

/**
 * Whether any two of the plan's buyers could be equally good, so that turns must be counted. Bids always can: the ping
 * puts the one of equal bids first whose turn is longest ago, so sales from pings count turns.
 */
export function sharesTurns(plan: Plan): boolean {
  const { buyers, locks, static_bids } = plan;
  if (locks ?? static_bids) return buyers.length > 1;
  const equal = EQUAL[rankingOf(plan)];
  return buyers.some((a, n) => buyers.slice(n + 1).some((b) => equal(a, b)));
}

/** Candidates in their order, those equally good by their turns, then by id. */
export function byTurns(
  method: RankingMethod,
  candidates: readonly BuyerTerms[],
  turns: Turns,
): BuyerTerms[] {
  const equal = EQUAL[method];
  const runs: BuyerTerms[][] = [];
  for (const terms of candidates) {
    const run = runs.at(-1);
    if (run?.[0] && equal(run[0], terms)) run.push(terms);
    else runs.push([terms]);
  }
  const latest = ({ buyer_id }: BuyerTerms): number => getOwn(turns.last, buyer_id) ?? 0;
  return runs.flatMap((run) =>
    run.sort((a, b) => latest(a) - latest(b) || (a.buyer_id < b.buyer_id ? -1 : 1)),
  );
}

/** The candidates up to the last that is as good as the n-th; all of them when there is no n-th. */
export function throughRank(
  method: RankingMethod,
  candidates: readonly BuyerTerms[],
  n: number,
): readonly BuyerTerms[] {
  const nth = candidates[n];
  if (!nth) return candidates;
  const end = candidates.findIndex((terms, at) => at > n && !EQUAL[method](nth, terms));
  return end < 0 ? candidates : candidates.slice(0, end);
}

/** Whether turns mattered for the order of these. */
export const hasEquals = (method: RankingMethod, candidates: readonly BuyerTerms[]): boolean =>
  candidates.some((terms, n) => {
    const before = candidates[n - 1];
    return before !== undefined && EQUAL[method](before, terms);
  });

/** The turns after the buyer has had one. */
export const afterTurn = ({ seq, last }: Turns, buyerId: string): Turns => ({
  seq: seq + 1,
  last: { ...last, [buyerId]: seq + 1 },
});
