/** A database in which every query has much to find and more to skip. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { CapDoc } from '../../../src/routing/store/capDocs.js';
import type { Collections } from '../../../src/app/database.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { BuyerEvent } from '../../../src/events/store/eventDocs.js';
import { aPlan } from '../../support/builders.js';
import { after, aLead, aRow, before, NOW } from '../../support/storedRows.js';
import { seedAudit } from './seedAudit.js';
import { seedFunnels } from './seedFunnels.js';
import { seedPortal } from './seedPortal.js';
import { seedEventPages } from './seedEventPages.js';
import { seedReturns } from './seedReturns.js';
import { seedOutcomes } from './seedOutcomes.js';
import { seedEvents } from './seedEvents.js';
import { seedKeys } from './seedKeys.js';
import { seedPings } from './seedPings.js';
import { seedRollups } from './seedRollups.js';
import { seedAttemptDays } from './attemptQueries.js';
import { listedLead, matchedLeads } from './listedLeads.js';

/** Some of the leads, or buyers, of a kind. */
export const many = (kind: string): string[] => times(20, (n) => `${kind}-${n}`);
/** Their first rows. */
export const rowIds = (kind: string): string[] => many(kind).map((id) => `${id}:1`);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BUYERS = 10;
const FINAL = ['ACCEPTED', 'UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED'] as const;
const ENDED = ['accepted', 'rejected', 'failed', 'abandoned', 'expired'] as const;

const YESTERDAY = { day: '2026-11-20', week: 'W2026-11-16', month: '2026-11' };
const TODAY = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const one = <T>(list: readonly [T, ...T[]], n: number): T => list[n % list.length] ?? list[0];

const leads = (): Lead[] => [
  ...times(1_500, listedLead),
  ...matchedLeads(),
  ...times(2_000, (n) =>
    aLead({
      _id: `done-${n}`,
      status: one(FINAL, n),
      created_at: before(n * MINUTE),
      takes: 1,
      keys: [`phone:+1555000000${n % 50}`, `email:person.${n}@example.com`],
      supplier_id: n % 3 === 0 ? 'another' : 'supplier',
      ...(n % 20 === 0 ? { uncounted: true as const, changes: 1 } : {}),
    }),
  ),
  ...times(40, (n) =>
    aLead({
      _id: `test-${n}`,
      campaign_id: `campaigns-${n % 5}`,
      is_test: true,
      takes: 1,
      status: one(FINAL, n),
    }),
  ),
  ...times(100, (n) => aLead({ _id: `fresh-${n}` })),
  ...times(100, (n) => aLead({ _id: `owned-${n}`, run: 'run-1', lease_until: after(3_000) })),
  ...times(40, (n) => aLead({ _id: `forgotten-${n}`, created_at: before(HOUR + n) })),
  ...times(40, (n) =>
    aLead({
      _id: `left-${n}`,
      status: one(['NEW', 'PENDING'], n),
      run: 'run-1',
      lease_until: before(HOUR),
      created_at: before(2 * HOUR + n),
    }),
  ),
  // Waiting leads are many times as many as forgotten ones.
  ...times(1_500, (n) =>
    aLead({ _id: `waiting-${n}`, status: 'PENDING', created_at: before(HOUR + n * 100) }),
  ),
];

const row = (id: string, n: number, overrides: Partial<DeliveryDoc>): DeliveryDoc =>
  aRow({
    lead_id: `${id}-${n}`,
    buyer_id: `buyer-${n % BUYERS}`,
    created_at: before(n * 1_000),
    ...overrides,
  });

const rows = (): DeliveryDoc[] => [
  ...times(2_000, (n) =>
    row('done', n, {
      state: one(ENDED, n),
      due_at: before(HOUR),
      reserved: n % 151 === 0 ? TODAY : YESTERDAY,
      settled_at: before(HOUR),
      ...(n % 500 === 0 ? { unbooked: true as const } : {}),
      ...(n % 397 === 0 ? { uncounted: true as const, changes: 1 } : {}),
    }),
  ),
  ...times(200, (n) => row('owned', n, {})),
  // Half of each queue is due, the other half is delayed.
  ...times(1_500, (n) =>
    row('waiting', n, {
      state: 'parked',
      due_at: n % 20 < BUYERS ? before(1_000) : after(HOUR),
    }),
  ),
  ...times(200, (n) => row('held', n, { state: 'unknown', expires_at: after(HOUR + n) })),
  ...times(60, (n) =>
    row('aged', n, {
      state: one(['parked', 'unknown'], Math.floor(n / BUYERS)),
      due_at: after(HOUR),
      expires_at: before(2 * MINUTE),
    }),
  ),
  ...times(60, (n) => row('overdue', n, { state: 'parked', due_at: before(5 * MINUTE) })),
];

/** Links that count today's rows; some have reservations that no run will settle. */
const links = (): CapDoc[] =>
  times(50, (n) => {
    const used = (key: string) => ({ key, count: 7, amount: 70 });
    const lead = { fence: 1, amount: 10, keys: TODAY, at: before(HOUR) };
    return {
      _id: `buyer:campaign:buyer-${n}`,
      day: used(TODAY.day),
      week: used(TODAY.week),
      month: used(TODAY.month),
      total: used('all'),
      held: n % 10 === 0 ? [{ ...lead, hold_id: `done-${n}:1` }] : [],
    };
  });

const anEvent = (n: number, created_at: Date): BuyerEvent => ({
  _id: `evt_buyer-${n}_${Number(created_at)}`,
  org_id: `org-${n % 7}`,
  type: one(['buyer.paused', 'buyer.resumed'], n),
  created_at,
  data: { buyer_id: `buyer-${n}`, until: null, failures: 5, reason: 'http_503' },
});

/** Every tenth buyer has replaced its secret. */
const secretsOf = (n: number) => ({
  webhook_secret_hash: `secret-${n}`,
  ...(n % 10 === 0 ? { previous_webhook: { hash: `old-secret-${n}`, until: after(HOUR) } } : {}),
});

/** The n-th entry of every list. */
export const anMd5 = (n: number): string => (n * 7_919_317).toString(16).padStart(32, '0');

export async function seed(collections: Collections): Promise<void> {
  // By the real clock: MongoDB deletes expired rows by its own.
  const later = new Date(Date.now() + HOUR);
  const account = { org_id: 'org', created_at: NOW };
  await Promise.all([
    collections.leads.insertMany(leads()),
    collections.deliveries.insertMany(rows()),
    collections.claims.insertMany(
      times(1_000, (n) => ({
        _id: `claim-${n}`,
        lead_id: `done-${n}`,
        at: NOW,
        expires_at: later,
      })),
    ),
    collections.answered.insertMany(
      times(100, (n) => ({
        _id: `answered-${n}`,
        lead_ids: times(10, (one) => `done-${10 * n + one}`),
        at: new Date(),
      })),
    ),
    collections.idempotency.insertMany(
      times(1_000, (n) => ({
        _id: `key-${n}`,
        body_hash: 'hash',
        lead_id: `done-${n}`,
        expires_at: later,
      })),
    ),
    // Claimed two minutes ago, by requests that never stored their leads.
    collections.idempotency.insertMany(
      times(40, (n) => ({
        _id: `orphan-${n}`,
        body_hash: 'hash',
        lead_id: `nobody-${n}`,
        expires_at: new Date(Date.now() + 24 * HOUR - 2 * MINUTE),
      })),
    ),
    collections.caps.insertMany(links()),
    seedRollups(collections),
    seedAttemptDays(collections),
    seedPings(collections),
    seedOutcomes(collections),
    collections.destinations.insertMany(
      times(500, (n) => ({
        _id: `buyer-${n}`,
        org_id: 'org',
        awake: true,
        awake_at: before(HOUR),
        failures: 1,
        pauses: 0,
        open_until: null,
        retry_at: null,
        // One breaker of a hundred is open.
        ...(n % 100 === 7 ? { paused_at: before(n * 1_000) } : {}),
        events: n % 50 === 3 ? [anEvent(n, before(HOUR))] : [],
      })),
    ),
    collections.events.insertMany(
      times(1_000, (n) => anEvent(n, new Date(Date.now() - n * 1_000))),
    ),
    collections.commands.insertMany(
      times(100, (n) => ({
        _id: `command-${n}`,
        org_id: 'org',
        buyer_id: `buyer-${n}`,
        lead_id: null,
        done: 0,
        action: 'hold' as const,
        at: new Date(),
      })),
    ),
    collections.orgs.insertOne({
      _id: 'org',
      name: 'Org',
      time_zone: 'UTC',
      currency: 'USD',
      created_at: NOW,
    }),
    collections.versions.insertMany(times(500, (n) => ({ _id: `org-${n}`, version: n }))),
    ...(['buyers', 'suppliers', 'campaigns'] as const).map((kind) =>
      collections[kind].insertMany(
        times(500, (n) => ({
          ...account,
          created_at: before(n),
          _id: `${kind}-${n}`,
          name: `Name ${n}`,
          plan_version: 1,
          ...(kind === 'campaigns'
            ? { vertical_key: n % 100 === 0 ? 'solar' : null, caps: {} }
            : {}),
          ...(kind === 'buyers' ? secretsOf(n) : {}),
        })) as never[],
      ),
    ),
    collections.plans.insertMany(
      times(1_000, (n) => ({
        ...aPlan(),
        ...account,
        _id: `campaigns-${n % 50}:${n}`,
        campaign_id: `campaigns-${n % 50}`,
        version: n,
      })) as never[],
    ),
    ...(['campaignBuyers', 'campaignSuppliers'] as const).map((kind) =>
      collections[kind].insertMany(
        times(1_000, (n) => ({
          ...account,
          _id: `link-${n}`,
          campaign_id: `campaigns-${n % 100}`,
          buyer_id: `buyers-${n % 90}`,
          supplier_id: `suppliers-${n % 90}`,
          caps: {},
        })) as never[],
      ),
    ),
    collections.suppressionLists.insertMany(
      times(100, (n) => ({
        ...account,
        created_at: before(n),
        _id: `list-${n}`,
        scope: 'buyer' as const,
        target_id: `buyers-${n}`,
        name: `List ${n}`,
        entries: 1_000,
        uploaded_at: NOW,
        uploaded_by: 'key',
      })),
    ),
    collections.suppressions.insertMany(
      times(3_000, (n) => ({ _id: `list-${n % 3}:${anMd5(Math.floor(n / 3))}` })),
    ),
    seedKeys(collections),
    seedAudit(collections),
    seedPortal(collections),
    seedFunnels(collections),
    seedEventPages(collections),
    seedReturns(collections),
    seedEvents(collections),
  ]);
}
