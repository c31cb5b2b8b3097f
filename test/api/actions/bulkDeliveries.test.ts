/** Commands on many records: what a call reports that fails in the middle, or runs out of time. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionDeps } from '../../../src/api/actions/action.js';
import { systemClock } from '../../../src/lib/clock.js';
import type { ReturnDoc } from '../../../src/outcomes/store/returnDocs.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { after, aLead, aRow } from '../../support/storedRows.js';

interface Bulk {
  report: { result: string; message: string | null }[];
  continue_from: string | null;
}

const LATE_MS = 11_000;
const RETURN: ReturnDoc = {
  _id: 'return',
  org_id: 'org',
  lead_id: 'lead',
  buyer_id: 'buyer',
  campaign_id: 'campaign',
  reason: 'other',
  note: null,
  state: 'requested',
  lead_day: '2026-11-21',
  created_at: after(0),
  requested_by: { kind: 'system' },
};

describe('a command on many', () => {
  let api: ActionsApi;
  /** Milliseconds that pass between two looks at the clock. */
  let passing = 0;
  let time = 0;
  /** Leads whose command fails, as when a server is lost. */
  let failing: string[] = [];
  const drop: ActionDeps['queue']['drop'] = ({ lead_id: id = '' }) =>
    failing.includes(id)
      ? lost()
      : Promise.resolve({ id, buyer_id: 'buyer', rows: 1, busy: 0, unknown: 0 });
  const lost = () => Promise.reject(new Error('The connection is lost.'));
  const none = () => Promise.reject(new Error('It is not asked for.'));
  beforeAll(async () => {
    api = await startActionsApi({
      clock: { ...systemClock, monotonic: () => (time += passing) },
      queue: { drop, retry: none, hold: none, resolve: none },
      returns: {
        request: ({ lead_id }) =>
          failing.includes(lead_id) ? lost() : Promise.resolve({ ...RETURN, lead_id }),
        check: none,
        resolve: async ({ return_id }) =>
          failing.includes(return_id)
            ? lost()
            : ((await api.collections.returns.findOne({ _id: return_id })) ?? none()),
      },
    });
  });
  afterAll(() => api.stop());
  afterEach(() => {
    passing = 0;
    failing = [];
  });

  /** Deliveries that wait, the oldest first. */
  const waiting = async (org: Org, count: number) => {
    const { campaign } = await setUp(api, org);
    const leads = Array.from({ length: count }, () => aLead({ org_id: org.id, status: 'PENDING' }));
    const rows = leads.map(({ _id: lead_id }, n) =>
      aRow({
        lead_id,
        org_id: org.id,
        campaign_id: campaign.id,
        state: 'parked',
        created_at: after(n),
      }),
    );
    await api.collections.leads.insertMany(leads);
    await api.collections.deliveries.insertMany(rows);
    const delivery_ids = rows.map(({ _id }) => _id);
    return { campaign_id: campaign.id, delivery_ids, leads: leads.map(({ _id }) => _id) };
  };
  const resultsOf = ({ report }: Bulk) => report.map(({ result }) => result);
  const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);

  it('keeps the report when an error ends it after some were carried out', async () => {
    const org = await api.org();
    const { delivery_ids, leads } = await waiting(org, 7);
    failing = leads.slice(1, 2);
    const bulk = await api.done<Bulk>(org, 'drop_deliveries', { delivery_ids });
    expect(resultsOf(bulk)).toEqual([
      'done',
      'continues',
      ...times(3, 'done'),
      ...times(2, 'not_tried'),
    ]);
    expect(bulk.report[1]?.message).toContain('it is not known whether');
    expect(bulk.report[6]?.message).toContain('ended at an error');
    failing = leads;
    const { status } = await api.call(await org.sharedKey(), 'drop_deliveries', { delivery_ids });
    expect(status).toBe(500);
  });

  it('tries the first ones however late it is, and continues after them', async () => {
    const org = await api.org();
    const { campaign_id } = await waiting(org, 7);
    passing = LATE_MS;
    const first = await api.done<Bulk>(org, 'drop_deliveries', { campaign_id });
    expect(resultsOf(first)).toEqual([...times(5, 'done'), ...times(2, 'not_tried')]);
    passing = 0;
    const { continue_from } = first;
    const rest = await api.done<Bulk>(org, 'drop_deliveries', { campaign_id, continue_from });
    expect([resultsOf(rest), rest.continue_from]).toEqual([times(2, 'done'), null]);
  });

  it('names no place to continue from for deliveries by their ids', async () => {
    const org = await api.org();
    const { delivery_ids } = await waiting(org, 6);
    passing = LATE_MS;
    const bulk = await api.done<Bulk>(org, 'drop_deliveries', { delivery_ids });
    expect([resultsOf(bulk).at(-1), bulk.continue_from]).toEqual(['not_tried', null]);
  });

  /** Returns that wait for a decision, the newest first. */
  const asked = async (org: Org, count: number) => {
    const { campaign, buyer } = await setUp(api, org);
    const docs = times(count, null).map((_, n): ReturnDoc => ({
      ...RETURN,
      _id: `${org.id}-${n}`,
      org_id: org.id,
      lead_id: `lead-${n}`,
      buyer_id: buyer.id,
      campaign_id: campaign.id,
      created_at: after(-n),
    }));
    await api.collections.returns.insertMany(docs);
    return { buyer_id: buyer.id, return_ids: docs.map(({ _id }) => _id) };
  };

  it('decides the first return however late it is, and continues after it', async () => {
    const org = await api.org();
    const { buyer_id } = await asked(org, 3);
    const input = { buyer_id, result: 'accept' };
    passing = LATE_MS;
    const first = await api.done<Bulk>(org, 'resolve_returns', input);
    expect(resultsOf(first)).toEqual(['done', 'not_tried', 'not_tried']);
    passing = 0;
    const { continue_from } = first;
    const rest = await api.done<Bulk>(org, 'resolve_returns', { ...input, continue_from });
    expect([resultsOf(rest), rest.continue_from]).toEqual([['done', 'done'], null]);
  });

  it('reports the returns that were decided before an error, and continues at the one that failed', async () => {
    const org = await api.org();
    const { buyer_id, return_ids } = await asked(org, 4);
    failing = return_ids.slice(2, 3);
    const input = { buyer_id, result: 'reject' };
    const first = await api.done<Bulk>(org, 'resolve_returns', input);
    expect(resultsOf(first)).toEqual(['done', 'done', 'failed', 'not_tried']);
    expect(first.report[2]?.message).toContain('not known whether');
    failing = [];
    const { continue_from } = first;
    const rest = await api.done<Bulk>(org, 'resolve_returns', { ...input, continue_from });
    expect([resultsOf(rest), rest.continue_from]).toEqual([['done', 'done'], null]);
    failing = return_ids;
    expect((await api.call(await org.sharedKey(), 'resolve_returns', input)).status).toBe(500);
  });

  it('reports the returns that were requested before an error', async () => {
    const org = await api.org();
    failing = ['second'];
    const input = { lead_ids: ['first', 'second', 'third'], reason: 'other' };
    const bulk = await api.done<Bulk>(org, 'request_returns', input);
    expect([resultsOf(bulk), bulk.continue_from]).toEqual([['done', 'failed', 'not_tried'], null]);
  });
});
