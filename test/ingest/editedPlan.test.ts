/** Leads posted while their campaign keeps changing: each is decided by one version, the one it names. */
import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyerLink, type BuyerLinkInput } from '../../src/account/links/buyerLinks.js';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { updateSupplierLink } from '../../src/account/links/supplierLinks.js';
import type { FilterGroup } from '../../src/fields/filters.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { BuyerTerms, Plan } from '../../src/account/rules/plan.js';
import {
  closedBooks,
  planOf,
  wrongAnswers,
  wrongCounts,
  wrongOwners,
  wrongSales,
  type Told,
} from '../support/books.js';
import { PATIENT } from '../support/market.js';
import { aPerson } from '../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const EDITS = 48;
/** More versions than this must have decided leads. */
const VERSIONS_MET = 15;
const POSTERS = 8;

const score = (operator: '>=' | '<=', value: number) => ({
  all: [{ id: 'score', field: 'score', operator, value }],
});

/** The n-th change of the account: filters, prices, the order, caps, pauses, costs, the number of sales. */
async function edit({ account }: Market, { collections }: Testbed, n: number): Promise<void> {
  const { orgId: org_id, campaignId: campaign_id, suppliers, buyers } = account;
  const supplier_id = suppliers[0]?.id ?? '';
  const buyer = (terms: BuyerLinkInput) => {
    const buyer_id = buyers[NAMES[(n * 3 + Math.floor(n / 8)) % NAMES.length] ?? 'a'] ?? '';
    return updateBuyerLink(accountOf({ collections }, org_id), { campaign_id, buyer_id }, terms);
  };
  const changes: (() => Promise<unknown>)[] = [
    () =>
      updateCampaign(accountOf({ collections }, org_id), campaign_id, {
        filters: score('>=', (n * 7) % 40),
      }),
    () => buyer({ price: (500 + n) / 100 }),
    // No two buyers ever rank equally.
    () => buyer({ priority: 100 + n }),
    () =>
      updateCampaign(accountOf({ collections }, org_id), campaign_id, { max_sells: 1 + (n % 3) }),
    () => buyer({ daily_cap: n % 3 === 0 ? 0 : null }),
    () => buyer({ filters: score('<=', 50 + ((n * 11) % 50)) }),
    () =>
      updateSupplierLink(
        accountOf({ collections }, org_id),
        { campaign_id, supplier_id },
        {
          cost_mode: n % 2 ? 'FIXED' : 'REVENUE_SHARE',
          cost_per_lead: (100 + n) / 100,
          revenue_share: 20 + (n % 50),
        },
      ),
    () => buyer({ status: n % 3 === 1 ? 'paused' : 'active' }),
  ];
  await changes[n % changes.length]?.();
}

/** The right decision by the plan, without the deciding code: a number against the one rule of each filter. */
function expected(plan: Plan, lead: Lead) {
  const own = Number(lead.fields.score);
  const least = limitOf(plan.filters) ?? 0;
  if (own < least) return { status: 'REJECTED', order: [], full: [], sales: [] };
  const byPriority = (one: BuyerTerms, two: BuyerTerms) =>
    Number(one.priority) - Number(two.priority);
  const order = plan.buyers
    .filter(({ status, filters }) => status === 'active' && own <= (limitOf(filters) ?? Infinity))
    .sort(byPriority);
  const isFull = ({ caps }: BuyerTerms) => caps.daily_cap === 0;
  const sales = order.filter((buyer) => !isFull(buyer)).slice(0, plan.max_sells);
  const last = sales.length < plan.max_sells ? undefined : sales.at(-1);
  const asked = last ? order.slice(0, order.indexOf(last)) : order;
  return {
    status: sales.length > 0 ? 'ACCEPTED' : 'UNMATCHED',
    order: idsOf(order),
    full: idsOf(asked.filter(isFull)),
    sales: idsOf(sales),
  };
}

/** The actual decision. */
const actual = ({ status, trail, sales }: Lead) => ({
  status,
  order: trail.find(({ result }) => result === 'ranked')?.detail?.order ?? [],
  full: trail.flatMap(({ step, buyer_id }) => (step === 'caps' ? [buyer_id] : [])),
  sales: idsOf(sales),
});

const idsOf = (items: readonly { buyer_id: string }[]): string[] =>
  items.map(({ buyer_id }) => buyer_id);

function limitOf(filters: FilterGroup | null): number | undefined {
  const [rule] = filters && 'all' in filters ? filters.all : [];
  return rule && 'value' in rule ? Number(rule.value) : undefined;
}

describe('leads that arrive while the campaign is being changed', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    // Small groups, so that many meet many versions.
    testbed = await startTestbed({ settings: { INTAKE_LINGER_MS: '0', INTAKE_GROUP_MAX: '16' } });
  });
  afterAll(() => testbed.stop());

  it('are each decided entirely by the version they name, which was current after they arrived', async () => {
    const market = await testbed.market({
      campaign: {
        fields: [{ name: 'score', type: 'Number', required: true, ping_required: false }],
      },
      buyers: {
        a: { delivery: PATIENT },
        b: { delivery: PATIENT },
        c: { delivery: PATIENT },
        d: { delivery: PATIENT },
      },
    });
    const { campaigns } = testbed.collections;
    const version = async () =>
      (await campaigns.findOne({ _id: market.account.campaignId }))?.plan_version ?? 0;
    const versionsMet = async () => {
      const mine = { campaign_id: market.account.campaignId };
      return (await testbed.collections.leads.distinct('plan_version', mine)).length;
    };
    const told: (Told & { before: number; after: number })[] = [];
    let changing = true;
    /** The version after the last answered change. */
    let published = await version();
    const post = async () => {
      while (changing) {
        const person = aPerson();
        const before = published;
        const answer = await market.post({ ...person, score: (told.length * 37) % 101 });
        told.push({ email: person.email ?? '', answer, before, after: await version() });
      }
    };
    const posting = Array.from({ length: POSTERS }, post);
    try {
      // On a busy machine several changes may pass between two leads.
      const more = async (n: number) => n < 4 * EDITS && (await versionsMet()) <= VERSIONS_MET;
      for (let n = 0; n < EDITS || (await more(n)); n += 1) {
        await edit(market, testbed, n);
        published = await version();
      }
    } finally {
      changing = false;
      await Promise.all(posting);
    }

    const books = await closedBooks(testbed, market.account);
    const wrong = books.leads.flatMap((lead) => {
      const [right, done] = [expected(planOf(books, lead), lead), actual(lead)];
      return JSON.stringify(right) === JSON.stringify(done) ? [] : [{ id: lead._id, right, done }];
    });
    expect(wrong).toEqual([]);
    const byId = new Map(books.leads.map((lead) => [lead._id, lead]));
    const untimely = told.filter(({ answer, before, after }) => {
      const named = byId.get(answer.data?.id ?? String(answer.body.lead_id))?.plan_version;
      return named !== undefined && (named < before || named > after);
    });
    expect(untimely).toEqual([]);
    const journals = Object.fromEntries(
      NAMES.map((name) => [name, market.sentTo(name).map(({ leadId }) => leadId)]),
    );
    expect([
      ...wrongSales(books),
      ...wrongCounts(books),
      ...wrongOwners(books, journals),
      ...wrongAnswers(books, told),
    ]).toEqual([]);
    // The test proves something only if leads met many versions, and ended in every way.
    expect(new Set(books.leads.map(({ plan_version }) => plan_version)).size).toBeGreaterThan(
      VERSIONS_MET,
    );
    const ends = new Set(books.leads.map(({ status }) => status));
    expect([...ends].sort()).toEqual(['ACCEPTED', 'REJECTED', 'UNMATCHED']);
  });
});
