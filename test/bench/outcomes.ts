/**
 * What buyers say of their leads: how many outcomes a second, how soon each is answered, what each costs every process,
 * and the same with a webhook that is told of each. Every one that was acknowledged is looked for afterwards.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createAutomation } from '../../src/account/automations.js';
import { systemClock } from '../../src/clock.js';
import type { Bench } from './bench.js';
import { startMeter, type Meter } from './cost.js';
import { auditLine, auditOutcomes, type Audit } from './outcomeAudit.js';
import { sellLeads, type SoldLeads } from './soldLeads.js';
import { arrive, saturate, type Stage } from './stage.js';

type Say = (line: string) => void;

const LEADS = 10_000;
const PER_SECOND = 200;
const WARM_UP_SECONDS = 3;
const OPEN = 64;
const SATURATION_SECONDS = 5;
const MADE_WITHIN_MS = 120_000;
const TOLD_WITHIN_MS = 60_000;
const LOOK_MS = 500;

/** @param seconds for which they come evenly */
export async function outcomes(bench: Bench, seconds: number, say: Say) {
  say('\nOutcomes');
  const meter = await startMeter(bench);
  const plain = await within(bench, meter, say, async (stage) => [
    await arrive(stage, PER_SECOND, seconds),
    await saturate(stage, OPEN, SATURATION_SECONDS),
  ]);
  say('  with a webhook that is told of each:');
  const events = await within(bench, meter, say, async (stage, sold) => {
    await tellOf(bench, sold);
    const rows = [await arrive(stage, PER_SECOND, seconds)];
    return { rows, told: await toldOf(bench, sold, say) };
  });
  return { plain, events };
}

/** Leads of their own, and the audit of what was said of them. */
async function within<T>(
  bench: Bench,
  meter: Meter,
  say: Say,
  work: (stage: Stage, sold: SoldLeads) => Promise<T>,
) {
  const sold = await sellLeads(bench, LEADS);
  const stage = {
    ...{ meter, say, warmUp: WARM_UP_SECONDS },
    ...{ send: (n: number) => sold.say(n), sent: () => sold.sent() },
  };
  // The leads themselves are counted before anything is measured.
  await meter.measure(() => Promise.resolve(1));
  const result = await work(stage, sold);
  const audit = await audited(bench, sold);
  say(auditLine(audit));
  await sold.close();
  return { result, audit };
}

/** What was answered with 504 is made by `reconcile`, which looks once a minute: until then. */
async function audited(bench: Bench, sold: SoldLeads): Promise<Audit> {
  const until = performance.now() + MADE_WITHIN_MS;
  for (;;) {
    const audit = await auditOutcomes(bench, sold);
    if (audit.passed || performance.now() > until) return audit;
    await delay(LOOK_MS);
  }
}

/** One webhook for every outcome of the account. */
async function tellOf(bench: Bench, { account }: SoldLeads): Promise<void> {
  const { collections, keyring, buyers } = bench;
  const policy = { allowPrivate: true, mail: false, sheets: false };
  const context = { collections, keyring, policy, clock: systemClock };
  await createAutomation(context, account.orgId, {
    ...{ name: 'Outcomes', trigger: 'lead.outcome', action: 'WEBHOOK' },
    target: { url: `${buyers.url}/told` },
  });
}

/** Waits until as many events have arrived as outcomes were made. */
async function toldOf({ buyers, collections }: Bench, { account }: SoldLeads, say: Say) {
  const made = await collections.outcomes.countDocuments({ org_id: account.orgId, state: 'made' });
  const count = async (): Promise<number> => {
    const reply = await fetch(`${buyers.url}/told`);
    return ((await reply.json()) as { told: number }).told;
  };
  const from = performance.now();
  let told = await count();
  while (told < made && performance.now() - from < TOLD_WITHIN_MS) {
    await delay(LOOK_MS);
    told = await count();
  }
  const late = Math.round(performance.now() - from);
  const verdict = told === made ? 'all received' : 'FAILED';
  say(`  events: ${verdict}: ${told} of ${made}, the last ${late} ms after the measurement`);
  return { made, told, late_ms: late };
}
