import type { DrainResult } from './messages.js';

/**
 * A queue in the Temporal UI: short Markdown, with instants instead of ages, as it stays while the drain sleeps.
 * @param name of the buyer or automation: a run that continues another one has lost its summary, and kept its memo
 */
export function describeQueue(drained: DrainResult, name?: unknown): string {
  const queue = linesOf(drained);
  return typeof name === 'string' ? `${name}\n\n${queue}` : queue;
}

function linesOf({ waiting, sent, sold = [], backlog }: DrainResult): string {
  const soldPart = sold.length > 0 ? `, of which sold: ${String(sold.length)}` : '';
  const sentLine = `- sent by the last drain: ${String(sent)}${soldPart}`;
  if (!backlog) return [`**${String(waiting)} waiting**`, sentLine].join('\n');
  const { parked, held, unknown, limit, oldest, next, breaker, all_held } = backlog;
  const count = (n: number): string => (n < limit ? String(n) : `${String(limit)} or more`);
  return [
    all_held ? '**The queue is held by an operator.**' : `**${count(parked)} waiting**`,
    `- held: ${count(held)}`,
    `- unknown: ${count(unknown)}`,
    `- oldest since: ${oldest ?? 'none'}`,
    `- next attempt: ${next ?? 'none'}`,
    `- breaker: ${breaker}`,
    sentLine,
  ].join('\n');
}

/** The state of an expiry workflow in the Temporal UI. */
export function describeExpiry(
  { until, expired, isOver }: { until: string; expired: number; isOver: boolean },
  words: { before: string; after: string },
): string {
  const state = `**${isOver ? words.after : words.before}**`;
  return [state, `- by: ${until}`, `- expired: ${String(expired)}`].join('\n');
}
