/** Random campaigns, leads and contexts, for invariants of every decision. */
import fc from 'fast-check';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { LeadPing } from '../../../src/leads/rules/leadPing.js';
import { emptyCapState, type CapState } from '../../../src/routing/rules/caps.js';
import type { DecisionContext } from './decide.js';
import type {
  BuyerTerms,
  Plan,
  SupplierTerms,
  SuppressionRef,
} from '../../../src/account/rules/plan.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { Schedule } from '../../../src/fields/schedule.js';
import type { Weekday } from '../../../src/fields/days.js';
import type { ScreenedLead } from '../../../src/routing/rules/screen.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { aBuyer, aPlan, aSupplier, aWebhook, someFields } from '../../support/builders.js';

/** A Saturday noon in Chicago. */
export const NOW = new Date('2026-11-21T18:00:00Z');
export const ZONE = 'America/Chicago';
const KEYS = windowKeys(NOW, ZONE);
const IDS = ['b1', 'b2', 'b3', 'b4', 'b5'] as const;
const MICROS = 1_000_000;

export interface Situation {
  lead: ScreenedLead & Pick<Lead, 'supplier_id' | 'ping'>;
  plan: Plan;
  around: DecisionContext;
}

const limits: fc.Arbitrary<CapLimits> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        hourly_cap: fc.integer({ min: 0, max: 4 }),
        daily_cap: fc.option(fc.integer({ min: 0, max: 3 })),
        daily_caps: fc.record(
          { sat: fc.integer({ min: 0, max: 3 }), sun: fc.integer({ min: 0, max: 3 }) },
          { requiredKeys: [] },
        ),
        total_cap: fc.integer({ min: 0, max: 4 }),
        weekly_budget: fc.integer({ min: 0, max: 40 * MICROS }),
        total_budget: fc.option(fc.integer({ min: 0, max: 60 * MICROS })),
      },
      { requiredKeys: [] },
    ),
  },
);

const counted: fc.Arbitrary<CapState> = fc
  .record({
    count: fc.integer({ min: 0, max: 4 }),
    amount: fc.integer({ min: 0, max: 50 * MICROS }),
  })
  .chain((used) =>
    fc.boolean().map((today) => {
      const day = today ? { key: KEYS.day, ...used } : { key: '2026-11-20', ...used };
      const [week, month] = [
        { key: KEYS.week, ...used },
        { key: KEYS.month, ...used },
      ];
      const hour = { key: today ? KEYS.hour : '2026-11-20T12:00:00Z', ...used };
      return { ...emptyCapState(), hour, day, week, month, total: { key: 'all', ...used } };
    }),
  );

export const opening = (day: Weekday): Schedule => [{ days: [day], from: '09:00', to: '17:00' }];

const buyer = (buyer_id: string): fc.Arbitrary<BuyerTerms> =>
  fc
    .record({
      price: fc.integer({ min: 0, max: 20 * MICROS }),
      priority: fc.option(fc.integer({ min: 1, max: 2 })),
      weight: fc.integer({ min: 0, max: 3 }),
      status: fc.constantFrom('active', 'active', 'active', 'paused'),
      test_mode: fc.constantFrom(false, false, false, true),
      states: fc.constantFrom('', '', 'TX', 'NV').map((state) => (state === '' ? [] : [state])),
      schedule: fc.constantFrom(null, null, opening('sat'), opening('mon')),
      when_closed: fc.constantFrom('SKIP' as const, 'HOLD' as const),
      when_unavailable: fc.constantFrom('NEXT' as const, 'NEXT' as const, 'WAIT' as const),
      caps: limits,
      on_unknown: fc.constantFrom(
        'hold' as const,
        'assume_accepted' as const,
        'fail_over' as const,
      ),
      honours_idempotency_key: fc.boolean(),
    })
    .map(({ on_unknown, honours_idempotency_key, status, ...terms }) =>
      aBuyer({
        ...terms,
        buyer_id,
        status: status === 'paused' ? 'paused' : 'active',
        delivery: aWebhook({ on_unknown, honours_idempotency_key }),
      }),
    );

const supplier: fc.Arbitrary<SupplierTerms> = fc
  .record({
    cost_mode: fc.constantFrom('FIXED' as const, 'REVENUE_SHARE' as const, 'NONE' as const),
    cost_per_lead: fc.integer({ min: 0, max: 9 * MICROS }),
    revenue_share: fc.integer({ min: 0, max: 10_000 }).map((share) => share / 100),
    caps: limits,
  })
  .map(aSupplier);

const buyers = fc
  .uniqueArray(fc.constantFrom(...IDS), { maxLength: IDS.length })
  .chain((ids) => fc.tuple(...ids.map(buyer)));

const plan: fc.Arbitrary<Plan> = fc
  .record({
    distribution_method: fc.constantFrom(
      ...(['WATERFALL', 'ROUND_ROBIN', 'WEIGHTED', 'HIGHEST_BID'] as const),
    ),
    max_sells: fc.integer({ min: 1, max: 3 }),
    caps: limits,
    on_duplicate: fc.constantFrom('REJECT' as const, 'ROUTE_TO_ORIGINAL' as const),
    texansOnly: fc.constantFrom(false, false, true),
    suppression: fc.constantFrom<SuppressionRef | null>(
      null,
      { list_id: 'own', scope: 'campaign' },
      { list_id: 'own', scope: 'buyer', buyer_id: 'b1' },
    ),
    buyers,
    supplier,
  })
  .map(({ on_duplicate, texansOnly, suppression, supplier: s1, ...rest }) =>
    aPlan({
      ...rest,
      ...(suppression ? { suppression: [suppression] } : {}),
      time_zone: ZONE,
      suppliers: { s1 },
      dedupe: { window_days: 30, fields: ['phone'], match: 'ANY', on_duplicate },
      filters: texansOnly
        ? { all: [{ id: 'tx', field: 'state', operator: 'IN', value: ['TX'] }] }
        : null,
    }),
  );

const openUntil = fc.dictionary(
  fc.constantFrom(...IDS),
  fc.integer({ min: -60_000, max: 60_000 }).map((ms) => new Date(Number(NOW) + ms)),
);

const around: fc.Arbitrary<DecisionContext> = fc.record({
  now: fc.constant(NOW),
  hits: fc.constantFrom([], [{ list_id: 'own', field: 'phone' as const }]),
  original: fc.option(
    fc.record({
      lead_id: fc.constant('earlier'),
      buyer_id: fc.option(fc.constantFrom(...IDS)),
      resend: fc.boolean(),
    }),
    { freq: 4 },
  ),
  turns: fc
    .dictionary(fc.constantFrom(...IDS), fc.integer({ min: 1, max: 9 }))
    .map((last) => ({ seq: 9, last })),
  openUntil,
  counters: fc.record(
    {
      buyers: fc.dictionary(fc.constantFrom(...IDS), counted),
      supplier: counted,
      campaign: counted,
    },
    { requiredKeys: [] },
  ),
  bids: fc.dictionary(fc.constantFrom(...IDS), fc.integer({ min: 0, max: 30 * MICROS })),
});

export const situations: fc.Arbitrary<Situation> = fc.record({
  plan,
  around,
  lead: fc.record({
    fields: fc.constantFrom('TX', 'NV', 'CA').map((state) => someFields({ state })),
    is_test: fc.constantFrom(false, false, false, true),
    seed: fc.uuid(),
    supplier_id: fc.constant('s1'),
  }),
});

const ping: fc.Arbitrary<LeadPing> = fc
  .shuffledSubarray([...IDS], { minLength: 1 })
  .chain((bidders) => {
    const amount = fc.integer({ min: 0, max: 30 * MICROS });
    const bids = bidders.map((buyer_id) =>
      fc.record({ buyer_id: fc.constant(buyer_id), price: amount, bid: amount }),
    );
    const pick = fc.constantFrom(...bidders);
    return fc.record(
      {
        ping_id: fc.constant('ping'),
        bids: fc.tuple(...bids),
        reveal_buyers: fc.boolean(),
        pick,
        differs: fc.constantFrom(['state'], ['state', 'test_lead']),
      },
      { requiredKeys: ['ping_id', 'bids', 'reveal_buyers'] },
    );
  });

/** The same with leads that have redeemed a ping; some bidders are no longer in the plan. */
export const pinged: fc.Arbitrary<Situation> = fc
  .tuple(situations, ping)
  .map(([{ lead, plan, around }, redeemed]) => ({
    plan,
    around: { ...around, bids: {} },
    lead: { ...lead, ping: redeemed },
  }));
