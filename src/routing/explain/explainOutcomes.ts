/** One sentence for each change of a sale after it was made. */
import { detailOf, money, nameOf, shown, type Subject } from './explainWords.js';
import type { TrailEntry, TrailResults } from '../../leads/rules/trail.js';

type OutcomeText = (entry: TrailEntry, subject: Subject) => string;

export const OUTCOME_TEXTS: Record<TrailResults['outcome'], OutcomeText> = {
  pending: (entry, subject) => `${who(entry, subject)}: not decided yet${now(entry, subject)}.`,
  converted: (entry, subject) =>
    `${who(entry, subject)}: it became a customer${now(entry, subject)}.`,
  not_qualified: (entry, subject) =>
    `${who(entry, subject)}: it does not qualify${now(entry, subject)}.`,
  updated: (entry, subject) => {
    const revenue = now(entry, subject);
    return `${who(entry, subject)}: details were recorded${revenue}.`;
  },
  expired: (entry, subject) =>
    `The time limit for an outcome passed, and ${nameOf(entry.buyer_id, subject)} had reported none.`,
  returned: (entry, subject) => {
    const why = entry.reason === undefined ? '' : ` (${entry.reason})`;
    return `${nameOf(entry.buyer_id, subject)} returned it${why}${now(entry, subject)}.`;
  },
};

/** The author of the change, and the sale. */
function who(entry: TrailEntry, subject: Subject): string {
  const buyer = nameOf(entry.buyer_id, subject);
  const by = (detailOf(entry).by ?? {}) as { kind?: unknown; name?: unknown };
  if (by.kind !== 'user') return `${buyer} reported`;
  const name = shown(by.name);
  return `An operator${name === '' ? '' : ` (${name})`} reported for ${buyer}`;
}

/** The present revenue of the sale, where it has changed. */
function now(entry: TrailEntry, subject: Subject): string {
  const revenue = detailOf(entry).revenue as { from?: unknown; to?: unknown } | undefined;
  if (!revenue || revenue.from === revenue.to) return '';
  return `; the sale brings ${money(Number(revenue.to), subject)} now`;
}
