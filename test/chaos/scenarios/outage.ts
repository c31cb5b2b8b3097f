/** The answers that suppliers received around one outage. */
import type { Completed, HistoryEvent, Invoked } from '../evidence/evidence.js';

export interface Away {
  /** `mongod stopped`, … */
  name: string;
  /** Milliseconds since 1970, like the other times here. */
  from: number;
  /** From here on the server may come back. */
  to: number;
  serves: number;
  /** The next outage begins after this. */
  lookedAtUntil: number;
}

export interface OutageFigures {
  name: string;
  awayS: number;
  servesAfterS: number;
  /** To requests made during the outage; `after` were answered when it was over. */
  answers: { not_taken: number; after: number; other: number };
  /** To requests made before it, and answered during it or later. */
  underWay: { ok: number; not_taken: number; cannot_tell: number; other: number };
  slowestMs: number;
  /** From the end of the outage to the first 201; null when there was none. */
  firstAfterS: number | null;
  /** From the end of the outage to the time from which new leads are again accepted at their first sending. */
  normalAfterS: number | null;
}

interface Operation {
  asked: Invoked;
  told: Completed | null;
}

/** Every supplier request is answered within this time, whatever is broken (docs/guarantees.md). */
const ANSWERED_WITHIN_MS = 5_000;
/** The share of a second's leads that is accepted at the first sending in normal times. */
const NORMAL_SHARE = 0.95;

/** @param steadyS seconds that the normal share must last to count as recovered */
export function judgeOutage(
  history: readonly HistoryEvent[],
  away: Away,
  steadyS: number,
): { figures: OutageFigures; failures: string[] } {
  const operations = operationsOf(history);
  const endOf = ({ told }: Operation): number => told?.at ?? Infinity;
  const within = operations.filter(({ asked }) => asked.at >= away.from && asked.at < away.to);
  const before = operations.filter((one) => one.asked.at < away.from && endOf(one) > away.from);
  const told = within.filter((one) => endOf(one) < away.to);
  const notTaken = told.filter((one) => one.told?.answer === 'not_taken');
  const underWay = {
    ok: before.filter((one) => one.told?.outcome === 'ok').length,
    not_taken: before.filter((one) => one.told?.answer === 'not_taken').length,
    cannot_tell: before.filter((one) => one.told?.answer === 'cannot_tell').length,
  };
  const others = before.length - underWay.ok - underWay.not_taken - underWay.cannot_tell;
  const slowest = Math.max(0, ...[...before, ...within].map((one) => endOf(one) - one.asked.at));
  const figures: OutageFigures = {
    name: away.name,
    awayS: (away.to - away.from) / 1_000,
    servesAfterS: (away.serves - away.to) / 1_000,
    answers: {
      not_taken: notTaken.length,
      after: within.length - told.length,
      other: told.length - notTaken.length,
    },
    underWay: { ...underWay, other: others },
    slowestMs: slowest,
    firstAfterS: firstAfter(operations, away),
    normalAfterS: normalAfter(operations, away, steadyS),
  };
  return { figures, failures: failuresOf(figures, told) };
}

function failuresOf(figures: OutageFigures, told: readonly Operation[]): string[] {
  const { name, answers, underWay, slowestMs, firstAfterS, normalAfterS } = figures;
  const others = told.filter((one) => one.told?.answer !== 'not_taken').map(wordOf);
  return [
    ...(answers.not_taken > 0 ? [] : [`${name}: nobody was told 503`]),
    ...(answers.other === 0
      ? []
      : [`${name}: ${answers.other} answers were not 503 (${[...new Set(others)].join(', ')})`]),
    ...(underWay.other === 0
      ? []
      : [`${name}: ${underWay.other} requests under way got neither 2xx nor 503 nor 504`]),
    ...(slowestMs < ANSWERED_WITHIN_MS
      ? []
      : [
          `${name}: the slowest answer took ${slowestMs} ms; less than ${ANSWERED_WITHIN_MS} is right`,
        ]),
    ...(firstAfterS === null ? [`${name}: no 201 after it`] : []),
    ...(normalAfterS === null ? [`${name}: not back to normal before the next one`] : []),
  ];
}

const wordOf = ({ told }: Operation): string =>
  told?.answer ?? told?.error?.slice(0, 60) ?? 'no answer';

function operationsOf(history: readonly HistoryEvent[]): Operation[] {
  const told = new Map<number, Completed>();
  for (const event of history) if (event.kind === 'completed') told.set(event.op, event);
  return history
    .filter((event) => event.kind === 'invoked')
    .map((asked) => ({ asked, told: told.get(asked.op) ?? null }));
}

function firstAfter(operations: readonly Operation[], { to, lookedAtUntil }: Away): number | null {
  const ends = operations
    .filter(({ told }) => told?.status === 201)
    .map(({ told }) => told?.at ?? Infinity)
    .filter((at) => at >= to && at < lookedAtUntil);
  return ends.length === 0 ? null : (Math.min(...ends) - to) / 1_000;
}

function normalAfter(
  operations: readonly Operation[],
  { to, lookedAtUntil }: Away,
  steadyS: number,
): number | null {
  const seconds = Array.from({ length: Math.floor((lookedAtUntil - to) / 1_000) }, () => ({
    posted: 0,
    taken: 0,
  }));
  for (const { asked, told } of operations) {
    const second = seconds[Math.floor((asked.at - to) / 1_000)];
    if (!second || asked.time !== 1) continue;
    second.posted += 1;
    if (told?.outcome === 'ok') second.taken += 1;
  }
  const isNormal = seconds.map(({ posted, taken }) => taken >= NORMAL_SHARE * posted);
  const first = isNormal.findIndex(
    (_, from) =>
      from + steadyS <= isNormal.length && isNormal.slice(from, from + steadyS).every(Boolean),
  );
  return first === -1 ? null : first;
}
