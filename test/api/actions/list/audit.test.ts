import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditDoc } from '../../../../src/account/store/auditDocs.js';
import { setUp, startActionsApi, type ActionsApi, type Row } from '../../../support/api.js';

describe('the record of changes and reads', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  it('shows what partners did in their portals, also by itself on request', async () => {
    const org = await api.org();
    const { buyer, supplier } = await setUp(api, org);
    const person = { id: 'per_pat', name: 'Pat' };
    const entryOf = (kind: 'buyer' | 'supplier', id: string, n: number) => ({
      _id: `${kind}-${id}-${org.id}`,
      org_id: org.id,
      at: new Date(Date.now() + n),
      person,
      party: { kind, id },
      action: `${kind}_portal.pause`,
      input: {},
    });
    const entries = [
      entryOf('buyer', buyer.id, 1),
      entryOf('buyer', 'deleted', 2),
      entryOf('supplier', supplier.id, 3),
    ];
    const { audit, auditReads } = api.collections;
    await audit.insertMany(entries.map((one) => ({ ...one, outcome: 'done' as const })));
    await auditReads.insertMany(entries);
    const parties = async (input: object) =>
      (await api.done<Row[]>(org, 'list_audit', input)).map(({ party }) => party);
    for (const of of ['changes', 'reads']) {
      expect(await parties({ of, side: 'buyer' })).toEqual([
        { kind: 'buyer', id: 'deleted' },
        { kind: 'buyer', id: buyer.id },
      ]);
      expect(await parties({ of, buyerId: 'deleted' })).toEqual([{ kind: 'buyer', id: 'deleted' }]);
      expect(await parties({ of, supplier_id: supplier.id })).toEqual([
        { kind: 'supplier', id: supplier.id },
      ]);
      expect(await parties({ of, side: 'buyer', supplier_id: supplier.id })).toEqual([]);
    }
    const both = { buyer_id: buyer.id, supplier_id: supplier.id };
    expect((await api.call(await org.sharedKey(), 'list_audit', both)).status).toBe(422);
  });

  it('has the calls that concerned a record, from the one that made it on', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const link = { campaign_id: campaign.id, buyer_id: buyer.id };
    await api.done(org, 'update_campaign_buyer', { ...link, price: 30 });
    const of = async (input: object) =>
      (await api.done<Row[]>(org, 'list_audit', input)).map(({ action }) => action);
    expect(await of({ record_id: buyer.id })).toEqual([
      'update_campaign_buyer',
      'add_buyer_to_campaign',
      'create_buyer',
    ]);
    expect(await of({ record_id: buyer.id, action: 'create_buyer' })).toEqual(['create_buyer']);
    const [newest] = await api.done<Row[]>(org, 'list_audit', { record_id: campaign.id });
    expect(newest?.records).toEqual([campaign.id, buyer.id]);
    const other = await api.org();
    expect(await api.done(other, 'list_audit', { record_id: buyer.id })).toEqual([]);
  });

  it('has the calls of one person, of one key, and of days of the account', async () => {
    const org = await api.org();
    const entryOf = (n: number, more: Pick<AuditDoc, 'at' | 'person' | 'key_id'>) => ({
      _id: `${n}-${org.id}`,
      org_id: org.id,
      action: 'update_buyer',
      input: {},
      outcome: 'done' as const,
      ...more,
    });
    // Two o'clock of UTC is the evening before in New York.
    const at = new Date('2026-03-09T02:00:00Z');
    await api.collections.audit.insertMany([
      entryOf(1, { at, person: { id: 'per_1', name: 'Ada' } }),
      entryOf(2, { at, person: { id: 'per_2', name: 'Bo' } }),
      entryOf(3, { at: new Date('2026-03-09T05:00:00Z'), key_id: 'operator' }),
    ]);
    const of = async (input: object) =>
      (await api.done<Row[]>(org, 'list_audit', input)).map(({ id }) => id[0]);
    expect(await of({ by: 'per_2' })).toEqual(['2']);
    expect(await of({ by: 'operator' })).toEqual(['3']);
    expect(await of({ date_from: '2026-03-08', date_to: '2026-03-08' })).toEqual(['2', '1']);
    expect(await of({ date_from: '2026-03-09', date_to: '2026-03-09' })).toEqual(['3']);
    expect(await of({ by: 'per_1', date_to: '2026-03-07' })).toEqual([]);
    const wrong = { date_from: '2026-03-09', date_to: '2026-03-08' };
    expect((await api.call(await org.sharedKey(), 'list_audit', wrong)).status).toBe(422);
  });
});
