/** What a buyer says of one lead, one thing after the other: first that it waits, then what became of it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../prng.js';
import type { ReportReply, SendReport, OutcomeReport } from './sendReport.js';

export interface ReportDeps {
  send: SendReport;
  random: Random;
  /** Aborted when no time is left between one thing and the next. */
  closing: AbortSignal;
  /** Aborted when the run is over for good. */
  over: AbortSignal;
}

export interface ReportedLead {
  lead_id: string;
  buyer_id: string;
}

/** Between two things that are said of a lead, at most, in milliseconds. */
const PAUSE_MS = 3_000;
/** The first pause where the service asked for none, in milliseconds. */
const FIRST_PAUSE_MS = 250;
const PAUSE_MAX_MS = 4_000;
/** What is not answered is said again for so long, in milliseconds. */
const GIVE_UP_AFTER_MS = 60_000;

const TWICE = 0.15;
const ALTERS = 0.15;
const CONVERTS = 0.6;

/** The next is said only when the one before was answered, or given up. */
export async function reportOutcomes(
  lead: ReportedLead,
  n: number,
  deps: ReportDeps,
): Promise<void> {
  const { random } = deps;
  await pause(random.between(0, PAUSE_MS), deps.closing);
  await reportOutcome(
    { ...lead, key: `outcome-${n}-pending`, outcome: 'pending', revenue: null },
    deps,
  );
  await pause(random.between(0, PAUSE_MS), deps.closing);
  const last = { ...lead, key: `outcome-${n}-final` };
  const converts = random.next() < CONVERTS;
  if (converts) {
    const revenue = random.between(100, 20_000) / 100;
    await reportOutcome({ ...last, outcome: 'converted', revenue }, deps);
  } else await reportOutcome({ ...last, outcome: 'not_qualified', revenue: null }, deps);
}

async function reportOutcome(report: OutcomeReport, deps: ReportDeps): Promise<void> {
  const isTwice = deps.random.next() < TWICE;
  const alters = deps.random.next() < ALTERS;
  const [reply] = await Promise.all([
    untilAnswered(report, deps),
    isTwice ? untilAnswered(report, deps) : null,
  ]);
  if (alters && reply.told.answer === 'made' && !deps.over.aborted)
    await untilAnswered({ ...report, altered: true }, deps);
}

async function untilAnswered(report: OutcomeReport, deps: ReportDeps): Promise<ReportReply> {
  const until = performance.now() + GIVE_UP_AFTER_MS;
  for (let times = 1; ; times += 1) {
    const reply = await deps.send(report);
    const { result, answer } = reply.told;
    if (result === 'ok' || answer === 'unexpected') return reply;
    const asked = (reply.retryAfterMs ?? FIRST_PAUSE_MS) * 2 ** (times - 1);
    const pauseMs = Math.min(asked, PAUSE_MAX_MS) * (1 + deps.random.next() / 2);
    if (deps.over.aborted || performance.now() + pauseMs > until) return reply;
    await pause(pauseMs, deps.over);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, { signal }).catch(() => undefined);
