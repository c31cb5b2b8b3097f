/** The report of a run. */
import { describeAfter } from '../afterSale/report.js';
import { totalsLine } from '../checker/totals.js';
import { accountOf } from '../checker/account.js';
import type { Completed, Evidence, Fault, Seen } from '../evidence/evidence.js';
import type { RunResult } from '../run.js';
import { LOAD_SKIPPED } from '../load/suppliers/suppliers.js';

export interface Load {
  /** Requests sent, including repeats. */
  requests: number;
  /** Leads that suppliers posted, however often each was sent. */
  intents: number;
  /** Answers by class; `none` where no answer came. */
  answers: Record<string, number>;
  acknowledged: number;
  /** Leads that were not posted, because too many were open. */
  skipped: number;
  /** Leads begun, and requests acknowledged. */
  perSecond: { begun: number; acknowledged: number };
  /** Of acknowledged requests, in milliseconds. */
  latency: { p50: number; p99: number };
}

/** Violations that are described in full. */
const TOLD_IN_FULL = 5;

export function loadOf(evidence: Evidence, seconds: number): Load {
  const asked = new Map<number, number>();
  const intents = new Set<number>();
  const answers: Record<string, number> = {};
  const times: number[] = [];
  for (const event of evidence.history) {
    if (event.kind === 'invoked') {
      asked.set(event.op, event.at);
      intents.add(event.intent);
    }
    if (event.kind !== 'completed') continue;
    const name = nameOf(event);
    answers[name] = (answers[name] ?? 0) + 1;
    if (event.outcome === 'ok') times.push(event.at - (asked.get(event.op) ?? event.at));
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  const each = (count: number): number => Math.round((count / Math.max(seconds, 1)) * 10) / 10;
  return {
    requests: asked.size,
    intents: intents.size,
    answers,
    acknowledged: times.length,
    skipped: skippedOf(evidence),
    perSecond: { begun: each(intents.size), acknowledged: each(times.length) },
    latency: { p50: at(0.5), p99: at(0.99) },
  };
}

const skippedOf = ({ history }: Evidence): number =>
  history.reduce(
    (sum, event) =>
      event.kind === 'seen' && event.state === LOAD_SKIPPED ? sum + event.count : sum,
    0,
  );

const nameOf = ({ answer, replayed }: Completed): string =>
  answer === null ? 'none' : `${answer}${replayed ? ' (replayed)' : ''}`;

/** The number of faults of each kind, by type and targets. */
export function faultsOf(evidence: Evidence): Record<string, number> {
  const counts: Record<string, number> = {};
  const faults = evidence.history.filter((event): event is Fault => event.kind === 'fault');
  for (const { type, targets, detail } of faults) {
    const how = type === 'network' || type === 'buyer' ? (detail ?? '').split(' ')[0] : '';
    const whom = type === 'network' || type === 'buyer' ? '' : namesOf(targets);
    const name = [type, how, whom].filter(Boolean).join(' ');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const namesOf = (targets: readonly string[]): string =>
  targets.length > 2 ? 'all at once' : [...targets].sort().join(' + ');

export function describeRun(result: RunResult): string[] {
  const { evidence, unsettled, postedFor, processes, violations, folder } = result;
  const load = loadOf(evidence, postedFor);
  const seen = evidence.history.filter((event) => event.kind === 'seen');
  return [
    ...heading('Faults', table(faultsOf(evidence))),
    ...heading('Answers', table(load.answers)),
    ...heading('Load', [
      `${load.intents} leads in ${load.requests} requests, ${load.skipped} leads skipped`,
      `${load.perSecond.begun} leads a second begun, ${load.perSecond.acknowledged} requests a second acknowledged`,
      `acknowledged within ${load.latency.p50} ms (median), ${load.latency.p99} ms (99 of 100)`,
    ]),
    ...heading('Leads', table(tally(evidence.record.leads.map(({ status }) => status)))),
    `  held for an answer that never came: ${unsettled.held}`,
    ...heading('After the sale', describeAfter(evidence, violations)),
    ...heading('Processes: starts (of them not after a kill)', table(startsOf(processes))),
    ...heading('What reconcile mended', table(evidence.record.reconciled)),
    ...heading('Rare states reached', seen.map(seenLine)),
    ...(violations.length === 0 ? [] : describeViolations(result)),
    ...(folder === null ? [] : [`Everything is kept in ${folder}`]),
    ...(violations.length === 0 ? [] : [commandOf(result)]),
  ];
}

const commandOf = ({ evidence, kills, layout }: RunResult): string =>
  `Run it again: npm run chaos -- --seed ${evidence.seed} --kills ${kills}${layout === 'together' ? '' : ` --roles ${layout}`}`;

export function describeViolations({
  evidence,
  violations,
}: Pick<RunResult, 'evidence' | 'violations'>): string[] {
  const rules = tally(violations.map(({ total, rule }) => `${total}: ${rule}`));
  const accounts = violations
    .slice(0, TOLD_IN_FULL)
    .flatMap((violation) => ['', ...accountOf(evidence, violation)]);
  return [...heading(`What must not be (seed ${evidence.seed})`, table(rules)), ...accounts, ''];
}

export const lastLine = ({ kills, evidence, violations }: RunResult): string =>
  totalsLine(kills, evidence, violations);

const heading = (title: string, lines: readonly string[]): string[] => [
  '',
  title,
  ...(lines.length === 0 ? ['  none'] : lines.map((line) => `  ${line}`)),
];

function table(counts: Record<string, number | string>): string[] {
  const rows = Object.entries(counts);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, count]) => `${name.padEnd(width)}  ${count}`);
}

function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values.toSorted()) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

const startsOf = (processes: RunResult['processes']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(processes).map(([name, { starts, failed }]) => [name, `${starts} (${failed})`]),
  );

const seenLine = ({ state, count }: Seen): string =>
  count === 0 ? `     0  ${state}  <- never reached` : `${String(count).padStart(6)}  ${state}`;
