import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
});
