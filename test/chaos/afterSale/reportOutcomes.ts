/** The outcomes that a buyer reports for one lead, one after the other: first `pending`, then the final one. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../prng.js';
import type { ReportReply, SendReport, OutcomeReport } from './sendReport.js';

export interface ReportDeps {
  send: SendReport;
  random: Random;
  /** Aborted when no time is left for pauses between outcomes. */
  closing: AbortSignal;
  /** Aborted when the run is over for good. */
  over: AbortSignal;
}

export interface ReportedLead {
  lead_id: string;
  buyer_id: string;
}

/** Maximum pause between two outcomes of a lead, in milliseconds. */
const PAUSE_MS = 3_000;
/** The first pause where the service named none, in milliseconds. */
const FIRST_PAUSE_MS = 250;
const PAUSE_MAX_MS = 4_000;
/** An outcome without an answer is sent again for this time, in milliseconds. */
const GIVE_UP_AFTER_MS = 60_000;

const TWICE = 0.15;
const ALTERS = 0.15;
const CONVERTS = 0.6;

/** Each outcome is sent only when the one before is answered or abandoned. */
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
