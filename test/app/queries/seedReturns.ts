/** Returns of many buyers, of which the queries want few. */
import { dayAfter } from '../../../src/fields/days.js';
import type { Collections } from '../../../src/app/database.js';
import type { ReturnDoc } from '../../../src/outcomes/store/returnDocs.js';
import { after, aLead, aRow, before, NOW } from '../../support/storedRows.js';

const MINUTE = 60_000;
const STATES = ['requested', 'accepted', 'rejected'] as const;

export const aReturn = (n: number | string, overrides: Partial<ReturnDoc>): ReturnDoc => {
  const [lead_id, buyer_id] = [`returned-${n}`, `buyer-${n}`];
  return {
    _id: `${lead_id}:${buyer_id}:1`,
    org_id: 'org',
    lead_id,
    buyer_id,
    campaign_id: 'campaign',
    reason: 'other',
    note: null,
    state: 'accepted',
    month: '2026-11',
    lead_day: '2026-11-21',
    created_at: NOW,
    requested_by: { kind: 'system' },
    ...overrides,
  };
};

export async function seedReturns(collections: Collections): Promise<void> {
  const made = Array.from({ length: 1_500 }, (_, n): ReturnDoc => {
    const state = STATES[n % 3] ?? 'requested';
    const isLate = n % 60 < 3;
    return aReturn(n, {
      state,
      created_at: before(n * MINUTE),
      campaign_id: `campaigns-${n % 5}`,
      org_id: n % 7 === 0 ? 'another' : 'org',
      lead_day: dayAfter('2026-11-21', -(n % 30)),
      ...(n % 4 === 0 ? { buyer_id: `buyers-${n % 9}` } : {}),
      ...(state === 'requested'
        ? { auto_accept_at: isLate ? before(MINUTE) : after(n * MINUTE) }
        : { resolved_at: before(n * MINUTE) }),
      ...(state === 'accepted' && isLate ? { owed: true as const } : {}),
      ...(state === 'accepted' ? { reversed: 10 } : {}),
    });
  });
  const counts = Array.from({ length: 200 }, (_, n) => ({ _id: `buyer-${n}:2026-11`, count: 1 }));
  const TODAY = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };
  const rows = Array.from({ length: 400 }, (_, n) =>
    aRow({
      lead_id: `reconciled-${n}`,
      campaign_id: `campaigns-${n % 4}`,
      buyer_id: `buyers-${n % 8}`,
      state: n % 3 === 0 ? 'rejected' : 'accepted',
      reserved: { ...TODAY, day: dayAfter(TODAY.day, -(n % 10)) },
    }),
  );
  const resold = Array.from({ length: 200 }, (_, n) =>
    aLead({
      _id: `resold-${n}`,
      org_id: 'resellers',
      status: 'ACCEPTED',
      resale: {
        origin: `resold-root-${n % 50}`,
        root: `resold-root-${n % 50}`,
        nth: 1 + Math.floor(n / 50),
        order_id: `order-${n}`,
        exclude: [],
        campaigns: ['campaign'],
        replaces: false,
        paid: false,
      },
    }),
  );
  await Promise.all([
    collections.leads.insertMany(resold),
    collections.returns.insertMany(made),
    collections.returnCounts.insertMany(counts),
    collections.deliveries.insertMany(rows),
  ]);
}
