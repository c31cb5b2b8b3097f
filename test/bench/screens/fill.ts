/** Fills the organization: leads that the service decided, and copies of them over three months, with what belongs to them. */
import { systemClock } from '../../../src/lib/clock.js';
import { enrollBuyers } from '../../../src/reports/keepAttemptDays.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import type { PingDoc } from '../../../src/pings/store/pingDocs.js';
import type { ReturnDoc } from '../../../src/outcomes/store/returnDocs.js';
import { NEVER_DUE } from '../../../src/deliveries/store/waiting.js';
import { supplierOf } from '../../support/supplier.js';
import { aPing } from '../../support/pingBuilders.js';
import { aRow } from '../../support/storedRows.js';
import type { Bench } from '../bench.js';
import { sendAll } from '../load/load.js';
import type { Say } from '../part.js';
import { seedDays } from './seedDays.js';
import { TAKEN_STATES, type ScreensAccount } from './account.js';

const DAY_MS = 86_400_000;
/** Leads that the service decides in each campaign, and that are copied. */
const MODELS = 40;
/** Of the models: every so many no buyer takes, and every so many is sent twice. */
const UNSOLD_EVERY = 6;
const TWICE_EVERY = 9;
const AT_ONCE = 16;
const RETURNED_EVERY = 50;
const PINGS_PER_LEAD = 0.1;
const PING_DAYS = 30;
const BIDS = 5;
/** Deliveries that wait for a person. */
const UNKNOWN = 500;
const WAITING = 5_000;
const CHUNK = 5_000;
const FAST = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

export async function fillAccount(
  bench: Bench,
  account: ScreensAccount,
  count: number,
  say: Say,
): Promise<void> {
  const from = performance.now();
  const seconds = (): number => Math.round((performance.now() - from) / 1_000);
  const { orgId } = account;
  await decideModels(bench, account);
  await bench.quiet();
  const models = await bench.collections.leads
    .find({ org_id: orgId }, { projection: { _id: 1 } })
    .toArray();
  say(`  ${models.length} leads decided by the service, ${seconds()} s`);
  await seedDays(
    bench,
    account,
    models.map(({ _id }) => _id),
    count,
  );
  say(`  ${count} copies of them over three months, ${seconds()} s`);
  await fillReturns(bench, account);
  await fillPings(bench, account, Math.round(count * PINGS_PER_LEAD));
  await fillQueue(bench, account);
  say(`  pings, returns and a queue, ${seconds()} s`);
  await restAttemptDays(bench);
  await bench.checkpoint();
  say(`  stored in ${seconds()} s`);
}

/** Sold, sold after a refusal, not sold, and duplicates, in every campaign. */
async function decideModels({ apiUrl }: Bench, { campaigns }: ScreensAccount): Promise<void> {
  for (const campaign of campaigns) {
    const supplier = supplierOf(apiUrl, campaign, AT_ONCE);
    let sent = 0;
    await sendAll(MODELS, AT_ONCE, async () => {
      const n = sent++;
      const state = n % UNSOLD_EVERY === 0 ? 'AK' : TAKEN_STATES[n % TAKEN_STATES.length];
      const person = { first_name: FIRST_NAMES[n % FIRST_NAMES.length], state };
      const options = { supplier: n % campaign.suppliers.length };
      const phone = `212555${String(1_000 + n)}`;
      const isTwice = n % TWICE_EVERY === 0;
      await supplier.post(isTwice ? { ...person, phone } : person, options);
      if (isTwice) await supplier.post({ ...person, phone, first_name: 'Again' }, options);
    });
    await supplier.close();
  }
}

const FIRST_NAMES = ['Ada', 'Grace', 'Joan', 'Katherine', 'Margaret', 'Radia', 'Barbara'];

/** Requests of the last days are open, earlier ones were rejected: a sum of no sale changes. */
async function fillReturns(bench: Bench, { orgId, timeZone }: ScreensAccount): Promise<void> {
  const { leads, returns } = bench.collections;
  const openFrom = Date.now() - 7 * DAY_MS;
  const sold = leads
    .find(
      { org_id: orgId, status: 'ACCEPTED' },
      { projection: { campaign_id: 1, buyer_id: 1, created_at: 1 } },
    )
    .batchSize(CHUNK);
  let batch: ReturnDoc[] = [];
  let seen = 0;
  const store = async (): Promise<void> => {
    if (batch.length > 0) await returns.insertMany(batch, FAST);
    batch = [];
  };
  for await (const { _id, campaign_id, buyer_id, created_at } of sold) {
    seen += 1;
    if (seen % RETURNED_EVERY !== 0 || buyer_id === null) continue;
    const { day, month } = windowKeys(created_at, timeZone);
    const isOpen = Number(created_at) > openFrom;
    batch.push({
      _id: `${_id}:${buyer_id}:1`,
      org_id: orgId,
      lead_id: _id,
      buyer_id,
      campaign_id,
      reason: 'other',
      note: 'The number is disconnected.',
      month,
      lead_day: day,
      created_at,
      requested_by: { kind: 'system' },
      ...(isOpen
        ? { state: 'requested' as const, auto_accept_at: new Date(Date.now() + 7 * DAY_MS) }
        : { state: 'rejected' as const, resolved_at: created_at }),
    });
    if (batch.length >= CHUNK) await store();
  }
  await store();
}

const PING_STATES = ['expired', 'refused', 'expired', 'redeemed'] as const;

async function fillPings(
  { collections }: Bench,
  { orgId, campaigns }: ScreensAccount,
  count: number,
): Promise<void> {
  const now = Date.now();
  for (let first = 0; first < count; first += CHUNK) {
    const docs = Array.from({ length: Math.min(CHUNK, count - first) }, (_, of): PingDoc => {
      const n = first + of;
      const campaign = campaigns[n % campaigns.length];
      const created_at = new Date(now - (1 - n / count) * PING_DAYS * DAY_MS - 3_600_000);
      const state = PING_STATES[n % PING_STATES.length] ?? 'expired';
      return aPing({
        _id: `ping-${orgId}-${n}`,
        org_id: orgId,
        campaign_id: campaign?.campaignId ?? '',
        supplier_id: campaign?.suppliers[n % campaign.suppliers.length]?.id ?? '',
        state,
        bids: state === 'refused' ? [] : bidsOf(Object.values(campaign?.buyers ?? {}), n),
        digests: { phone: `digest-${n}`, state: `digest-${n % 50}` },
        created_at,
        expires_at: new Date(Number(created_at) + 60_000),
        forget_at: new Date(now + PING_DAYS * DAY_MS),
        ...(state === 'refused' ? { reason: 'no_buyer' as const } : {}),
      });
    });
    await collections.pings.insertMany(docs, FAST);
  }
}

const bidsOf = (buyers: readonly string[], n: number): PingDoc['bids'] =>
  Array.from({ length: BIDS }, (_, nth) => ({
    buyer_id: buyers[(n + nth) % buyers.length] ?? '',
    price: 10_000_000,
    net: 10_000_000 - nth,
    bid: 4_000_000,
    source: 'static' as const,
  }));

/** Rows that a person holds, and rows that were never answered: the service sends none of them. */
async function fillQueue(
  { collections }: Bench,
  { orgId, timeZone, campaigns }: ScreensAccount,
): Promise<void> {
  const [campaign] = campaigns;
  if (!campaign) return;
  const buyers = Object.values(campaign.buyers);
  const later = new Date(Date.now() + 30 * DAY_MS);
  const ids = { org_id: orgId, campaign_id: campaign.campaignId };
  const rows = Array.from({ length: WAITING + UNKNOWN }, (_, n) =>
    aRow({
      ...ids,
      lead_id: `waits-${orgId}-${n}`,
      supplier_id: campaign.suppliers[n % campaign.suppliers.length]?.id ?? '',
      buyer_id: buyers[n % buyers.length] ?? '',
      created_at: new Date(Date.now() - n * 1_000),
      expires_at: later,
      reserved: windowKeys(new Date(), timeZone),
      ...(n < UNKNOWN
        ? { state: 'unknown' as const }
        : { state: 'parked' as const, held: true as const, due_at: NEVER_DUE }),
    }),
  );
  await collections.deliveries.insertMany(rows, FAST);
}

/** The service keeps the days of attempts in the background for portals, and no screen reads them: it begins tomorrow. */
async function restAttemptDays({ collections }: Bench): Promise<void> {
  await enrollBuyers({ collections, clock: systemClock });
  const due_at = new Date(Date.now() + DAY_MS);
  await collections.attemptSpans.updateMany({}, { $set: { due_at } });
}
