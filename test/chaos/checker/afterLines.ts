/** What is known about a lead after its sale, for its account: one line each. */
import type { ReceivedLine } from '../afterSale/evidence.js';
import type { Evidence, Instant } from '../evidence/evidence.js';
import { leadEventsOf } from './events.js';

interface Line {
  at: Instant;
  text: string;
}

/** The outcomes that buyers reported for these leads, with answers, the leads' events, and what the receiver got. */
export function afterLines(evidence: Evidence, leadIds: ReadonlySet<string>): Line[] {
  const { history, after } = evidence;
  const ops = new Set<number>();
  const said = history.flatMap((event): Line[] => {
    if (event.kind === 'outcome_asked' && leadIds.has(event.lead_id)) {
      ops.add(event.op);
      const { at, op, key, outcome, revenue, altered } = event;
      const what = `${outcome}${revenue === null ? '' : ` for ${revenue}`}${altered ? ', another body' : ''}`;
      return [{ at, text: `outcome  request ${op} says ${what}, key ${key}` }];
    }
    if (event.kind !== 'outcome_told' || !ops.has(event.op)) return [];
    const { at, op, result, answer, status, replayed, error } = event;
    const words = [result, answer, status, replayed ? 'replayed' : null, error];
    return [{ at, text: `outcome  request ${op} is told ${words.filter(isSaid).join(' ')}` }];
  });
  const told = leadEventsOf(evidence)
    .filter(({ data }) => leadIds.has(data.lead_id))
    .map(({ _id, type, created_at }) => ({
      at: Number(created_at),
      text: `event    ${_id} ${type}`,
    }));
  const received = after.received.filter(({ lead_id }) => leadIds.has(lead_id)).map(receivedLine);
  return [...said, ...told, ...received];
}

const isSaid = (word: unknown): boolean => word !== null && word !== undefined;

const receivedLine = ({ at, event_id, status, cut, flaw }: ReceivedLine): Line => ({
  at,
  text: `receiver ${event_id} answered ${status}${cut ? ', cut' : ''}${flaw === undefined ? '' : `, ${flaw}`}`,
});
