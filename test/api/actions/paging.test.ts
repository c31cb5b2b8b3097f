/** Every list is paged, and paging through it returns each record once. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LINKS_PER_CAMPAIGN } from '../../../src/account/links/storeLink.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { aPing } from '../../support/pingBuilders.js';
import { aLead, aRow } from '../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

const COUNT = 7;
const AT = new Date('2026-11-20T10:00:00Z');

const RETURN = {
  lead_id: 'l',
  buyer_id: 'b',
  campaign_id: 'c',
  reason: 'other',
  state: 'rejected',
  note: null,
  requested_by: { kind: 'user' },
};

const CHANGE = {
  side: 'buyer',
  party_id: 'b',
  before: { status: 'active' },
  after: { status: 'paused' },
  base_version: 0,
  reason: null,
  state: 'refused',
  requested_by: { kind: 'person', id: 'per_1', name: 'Pat' },
};

const FUNNEL = {
  template: 'quiz',
  campaign_id: 'c',
  supplier_id: 's',
  status: 'draft',
  draft_version: 1,
  published_version: null,
  published_draft: null,
  published_at: null,
  updated_at: AT,
};

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
  const { collections } = api;
  // All created in the same instant: only their ids differ.
  const records = (kind: string): never[] =>
    Array.from({ length: COUNT }, (_, n) => ({
      _id: `${org.id}:${kind}-${n}`,
      id: `${kind}-${n}`,
      org_id: org.id,
      name: `${kind} ${n}`,
      status: 'active',
      created_at: AT,
      at: AT,
      routing_method: 'DIRECT_POST',
      distribution_method: 'WATERFALL',
      max_sells: 1,
      plan_version: 1,
      test_mode: false,
      scope: 'buyer',
      target_id: `b${n}`,
      entries: 0,
      rate_limit: { per_second: 1, burst_per_second: 1, burst_seconds: 1 },
      uploaded_at: AT,
      kind: 'org',
      permissions: [],
      action: 'create_buyer',
      key_id: 'k',
      key_name: 'K',
      input: {},
      outcome: 'done',
      type: 'buyer.paused',
      data: { buyer_id: 'b' },
      trigger: 'lead.created',
      campaign_id: null,
      conditions: null,
      target: { to: [] },
      automation_id: 'a',
      event_id: 'e',
      lead_id: null,
      attempts: 0,
      due_at: AT,
    })) as never[];
  await Promise.all([
    collections.campaigns.insertMany(
      records('campaigns').map((one: object) => ({
        ...one,
        status: 'ACTIVE',
        caps: {},
      })) as never[],
    ),
    collections.buyers.insertMany(records('buyers')),
    collections.suppliers.insertMany(records('suppliers')),
    collections.automations.insertMany(
      records('automations').map((one: object) => ({ ...one, action: 'EMAIL' })) as never[],
    ),
    collections.events.insertMany(records('events')),
    collections.eventDeliveries.insertMany(
      records('told').map((one: object) => ({ ...one, state: 'waiting' })) as never[],
    ),
    collections.suppressionLists.insertMany(records('lists')),
    collections.apiKeys.insertMany(records('keys')),
    collections.audit.insertMany(records('audit')),
    collections.returns.insertMany(
      records('returns').map((one: object) => ({ ...one, ...RETURN })) as never[],
    ),
    collections.portalSettings.insertMany(
      records('portals').map((one: object, n) => ({
        ...one,
        side: 'buyer',
        party_id: `b${n}`,
        is_enabled: true,
        updated_at: AT,
      })) as never[],
    ),
    collections.funnels.insertMany(
      records('funnels').map((one: object, n) => ({
        ...one,
        ...FUNNEL,
        slug: `paging-${n}`,
      })) as never[],
    ),
    collections.changeRequests.insertMany(
      records('changes').map((one: object) => ({ ...one, ...CHANGE })) as never[],
    ),
    collections.deliveries.insertMany(
      Array.from({ length: COUNT }, () =>
        aRow({ org_id: org.id, state: 'parked', created_at: AT }),
      ),
    ),
    collections.pings.insertMany(
      Array.from({ length: COUNT }, () =>
        aPing({ org_id: org.id, created_at: AT, forget_at: new Date(Date.now() + 3_600_000) }),
      ),
    ),
    collections.leads.insertMany(
      Array.from({ length: COUNT }, () => aLead({ org_id: org.id, created_at: AT })),
    ),
  ]);
});
afterAll(() => api.stop());

interface Answer {
  success: boolean;
  data: unknown;
  next_cursor: string | null;
}
/** A portal is identified by its partner. */
type Rows = { id?: string; ping_id?: string; party?: { id: string } }[];

const rowsOf = ({ data }: Answer): Rows =>
  Array.isArray(data) ? (data as Rows) : (data as { leads: Rows }).leads;
const idOf = ({ id, ping_id, party }: Rows[number]): string => id ?? ping_id ?? party?.id ?? '';

/** Lists whose rows are records; the pages of a history and of a check list have tests of their own. */
const LISTS = REGISTRY.filter(({ name, paged }) => paged && /^list_|^get_leads$/.test(name));

describe.each(LISTS.map(({ name }) => [name] as const))('%s', (name) => {
  const page = async (input: object) =>
    (await api.call(await org.sharedKey(), name, input)).json as unknown as Answer;

  it('returns next_cursor next to data until the last page', async () => {
    const keys: string[] = [];
    const ids: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      // The list of keys includes those that the calls create; as the newest, they come last.
      const answer: Answer = await page({ limit: 3, ...(cursor === null ? {} : { cursor }) });
      keys.push(...Object.keys(answer));
      ids.push(...rowsOf(answer).map(idOf));
      sizes.push(rowsOf(answer).length);
      cursor = answer.next_cursor;
    } while (cursor !== null && sizes.length < 100);
    expect(new Set(keys)).toEqual(new Set(['success', 'data', 'next_cursor']));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(COUNT);
    expect(sizes.slice(0, -1).every((size) => size === 3)).toBe(true);
    expect(cursor).toBeNull();
  });

  it('refuses the cursor of another list, and one that no page returned', async () => {
    const other = name === 'list_buyers' ? 'list_suppliers' : 'list_buyers';
    const { json } = await api.call(await org.sharedKey(), other, { limit: 1 });
    const key = await org.sharedKey();
    for (const cursor of [
      json?.next_cursor,
      'x',
      Buffer.from(`${name} soon x`).toString('base64url'),
    ]) {
      const answer = await api.call(key, name, { cursor });
      expect([answer.status, answer.json?.details]).toMatchObject([422, [{ path: 'cursor' }]]);
    }
  });
});

describe('list_api_keys', () => {
  it('continues after keys that were created before keys had ids', async () => {
    const other = await api.org();
    const old = ['a', 'b'].map((start, n) => ({
      _id: `${start.repeat(32)}:${other.id}`,
      kind: 'org' as const,
      org_id: other.id,
      name: `Old ${start}`,
      permissions: [],
      created_at: new Date(Number(AT) + n),
    }));
    await api.collections.apiKeys.insertMany(old);
    const key = await other.sharedKey();
    const names: string[] = [];
    let cursor: unknown = null;
    do {
      const { json } = await api.call(key, 'list_api_keys', {
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      });
      const [row] = json?.data as { name: string }[];
      names.push(row?.name ?? '');
      cursor = json?.next_cursor ?? null;
    } while (cursor !== null && names.length < 10);
    expect(names.slice(0, 2)).toEqual(['Old a', 'Old b']);
    expect(cursor).toBeNull();
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the catalog', () => {
  it('says which actions return pages', async () => {
    const headers = { authorization: `Bearer ${await org.sharedKey()}` };
    const answer = await fetch(`${api.url}/api/v1/actions`, { headers });
    const { data } = (await answer.json()) as {
      data: { actions: { name: string; paged: boolean }[] };
    };
    expect(data.actions.map(({ name, paged }) => [name, paged])).toEqual(
      REGISTRY.map(({ name, paged }) => [name, paged ?? false]),
    );
  });
});

describe('a campaign', () => {
  it('has a bounded number of buyers and suppliers, all of which it shows', async () => {
    const other = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, other);
    const campaign_id = campaign.id;
    const links = (kind: 'buyer' | 'supplier'): never[] =>
      Array.from({ length: LINKS_PER_CAMPAIGN - 1 }, (_, n) => ({
        _id: `${campaign_id}:${n}`,
        campaign_id,
        [`${kind}_id`]: `${kind}-${n}`,
        caps: {},
      })) as never[];
    await Promise.all([
      api.collections.campaignBuyers.insertMany(links('buyer')),
      api.collections.campaignSuppliers.insertMany(links('supplier')),
    ]);
    const more = await api.done<{ id: string }>(other, 'create_buyer', { name: 'One too many' });
    const source = await api.done<{ id: string }>(other, 'create_supplier', { name: 'Too many' });
    const key = await other.sharedKey();
    const refused = [
      ['add_buyer_to_campaign', { campaign_id, buyer_id: more.id }, 'buyer_id'],
      ['add_supplier_to_campaign', { campaign_id, supplier_id: source.id }, 'supplier_id'],
    ] as const;
    for (const [action, input, path] of refused) {
      const { status, json } = await api.call(key, action, input);
      expect([status, json?.details]).toMatchObject([
        422,
        [{ path, code: 'not_allowed', message: expect.stringContaining('at most 500') }],
      ]);
    }
    // Its existing ones can still be changed.
    const changed = { campaign_id, buyer_id: buyer.id, price: 3 };
    expect((await api.call(key, 'update_campaign_buyer', changed)).status).toBe(200);
    expect(await api.done(other, 'get_campaign', { campaign_id })).toMatchObject({
      buyers: [{ buyer_id: buyer.id, price: 3 }],
      suppliers: [{ supplier_id: supplier.id }],
    });
  });
});
