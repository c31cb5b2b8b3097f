/** The last line of a run. */
import type { AnswerClass, Evidence, Total, Violation } from '../evidence/evidence.js';

const TOTALS: readonly Total[] = [
  'lost',
  'doubled',
  'over cap',
  'money off',
  'false answers',
  'undecided',
  'crashed',
  'untested',
];

const ACKNOWLEDGING: readonly AnswerClass[] = ['delivered', 'pending', 'unmatched', 'duplicate'];

/** Leads whose ids suppliers received with 2xx. */
export function acknowledged({ history }: Evidence): number {
  const ids = new Set<string>();
  for (const event of history) {
    if (event.kind !== 'completed' || event.outcome !== 'ok' || event.lead_id === null) continue;
    if (event.answer !== null && ACKNOWLEDGING.includes(event.answer)) ids.add(event.lead_id);
  }
  return ids.size;
}

/** What each total counts: leads, then sendings, then violations without either. One lead counts once. */
function totalsOf(violations: readonly Violation[]): Record<Total, number> {
  const subjects = Object.fromEntries(TOTALS.map((total) => [total, new Set<string>()]));
  violations.forEach(({ total, lead_id, intent }, index) => {
    const subject = lead_id ?? (intent === undefined ? `#${index}` : `intent ${intent}`);
    subjects[total]?.add(subject);
  });
  return Object.fromEntries(TOTALS.map((total) => [total, subjects[total]?.size ?? 0])) as Record<
    Total,
    number
  >;
}

/** `kills N, acknowledged N`, and the number of violations of each total. */
export function totalsLine(
  kills: number,
  evidence: Evidence,
  violations: readonly Violation[],
): string {
  const totals = totalsOf(violations);
  const counts = TOTALS.map((total) => `${total} ${totals[total]}`);
  return [`kills ${kills}`, `acknowledged ${acknowledged(evidence)}`, ...counts].join(', ');
}
