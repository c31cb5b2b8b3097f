/**
 * Outcomes of leads: how many per second, the latency of each, the cost for every process, and the same with a
 * webhook that gets an event for each. Every acknowledged outcome is audited afterwards.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createAutomation } from '../../../src/automations/automations.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { Bench } from '../bench.js';
import { startMeter, type Meter } from '../meters/cost.js';
import { figuresOf } from '../report/figures.js';
import { auditLine, auditOutcomes, type Audit } from '../audit/outcomeAudit.js';
import type { Measure, Say } from '../part.js';
import { sellLeads, type SoldLeads } from '../load/soldLeads.js';
import { arrive, saturate, type Stage } from '../load/stage.js';

const LEADS = 10_000;
const PER_SECOND = 200;
const WARM_UP_SECONDS = 3;
const SHORT_WARM_UP_SECONDS = 1;
const OPEN = 64;
const MADE_WITHIN_MS = 120_000;
const PUBLISHED_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 500;

export const outcomes: Measure = async (bench, { seconds, rounds }, say) => {
  const { result } = await within(bench, undefined, say, async (stage) => {
    const perSecond: number[] = [];
    for (let round = 0; round < rounds; round++)
      perSecond.push((await saturate(stage, OPEN, seconds)).perSecond);
    return perSecond;
  });
  return figuresOf('outcomes_per_s', result, `${OPEN} open`);
};

/** The cost of each at a steady rate, and the same with a webhook. @param seconds for which they come evenly */
export async function outcomeCosts(bench: Bench, seconds: number, say: Say) {
  const meter = await startMeter(bench);
  const plain = await within(bench, meter, say, (stage) => arrive(stage, PER_SECOND, seconds));
  say('  with a webhook that is told of each:');
  const events = await within(bench, meter, say, async (stage, sold) => {
    await tellOf(bench, sold);
    const row = await arrive(stage, PER_SECOND, seconds);
    return { row, told: await toldOf(bench, sold, say) };
  });
  return { plain, events };
}

/** Runs `work` on leads of its own, and audits their outcomes. */
async function within<T>(
  bench: Bench,
  meter: Meter | undefined,
  say: Say,
  work: (stage: Stage, sold: SoldLeads) => Promise<T>,
) {
  const sold = await sellLeads(bench, LEADS);
  const stage = {
    say,
    warmUp: meter ? WARM_UP_SECONDS : SHORT_WARM_UP_SECONDS,
    send: (n: number) => sold.say(n),
    sent: () => sold.sent(),
    ...(meter ? { meter } : {}),
  };
  // The leads themselves are counted before the measurement.
  await meter?.measure(() => Promise.resolve(1));
  const result = await work(stage, sold);
  const audit = await audited(bench, sold);
  say(auditLine(audit));
  if (!audit.passed) bench.failures.push(`Outcomes:${auditLine(audit)}`);
  await sold.close();
  return { result, audit };
}

/** Outcomes answered with 504 are applied by `reconcile`, which runs once a minute: until then. */
async function audited(bench: Bench, sold: SoldLeads): Promise<Audit> {
  const until = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    const audit = await auditOutcomes(bench, sold);
    if (audit.passed || performance.now() > until) return audit;
    await delay(POLL_INTERVAL_MS);
  }
}

/** One webhook for every outcome of the account. */
async function tellOf(bench: Bench, { account }: SoldLeads): Promise<void> {
  const { collections, keyring, buyers } = bench;
  const policy = { allowPrivate: true, mail: false, sheets: false };
  const { orgId } = account;
  const context = { collections, orgId, keyring, policy, clock: systemClock, mayReadLeads: true };
  await createAutomation(context, {
    name: 'Outcomes',
    trigger: 'lead.outcome',
    action: 'WEBHOOK',
    target: { url: `${buyers.url}/told` },
  });
}

/** Waits until as many events have arrived as outcomes were applied. */
async function toldOf({ buyers, collections }: Bench, { account }: SoldLeads, say: Say) {
  const made = await collections.outcomes.countDocuments({ org_id: account.orgId, state: 'made' });
  const count = async (): Promise<number> => {
    const reply = await fetch(`${buyers.url}/told`);
    return ((await reply.json()) as { told: number }).told;
  };
  const from = performance.now();
  let told = await count();
  while (told < made && performance.now() - from < PUBLISHED_WITHIN_MS) {
    await delay(POLL_INTERVAL_MS);
    told = await count();
  }
  const late = Math.round(performance.now() - from);
  const verdict = told === made ? 'all received' : 'FAILED';
  say(`  events: ${verdict}: ${told} of ${made}, the last ${late} ms after the measurement`);
  return { made, told, late_ms: late };
}
