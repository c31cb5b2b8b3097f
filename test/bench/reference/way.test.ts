import { describe, expect, it } from '@jest/globals';
import { goItsWay, type Ending, type KnownLead, type Steps } from './way.js';

const LEAD: KnownLead = { id: 'lead', supplier_id: 's', fields: {}, extra: {}, created_at: '' };

/** Buyers `a` and `b` with room, which accept; and the recorded calls. */
function stepsWith(other: Partial<Steps> = {}) {
  const recorded: Ending[] = [];
  const returned: string[] = [];
  const steps: Steps = {
    validate: () => Promise.resolve({ lead: LEAD }),
    filter: () => Promise.resolve({ rejected: false, buyerIds: ['a', 'b'], trail: [] }),
    dedupe: () => Promise.resolve(null),
    route: (buyerIds) => Promise.resolve(buyerIds[0] ?? null),
    deliver: (_lead, buyerId, n) => Promise.resolve(said('accepted', buyerId, n)),
    giveBack: (buyerId) => Promise.resolve(void returned.push(buyerId)),
    record: (_lead, ending) => Promise.resolve(void recorded.push(ending)),
    ...other,
  };
  return { steps, recorded, returned };
}

const said = (result: 'accepted' | 'rejected', buyerId: string, n: number) => ({
  buyerId,
  n,
  askedAt: '',
  latencyMs: 1,
  verdict: { result, reason: '' },
});

describe('the path of a lead in a reference', () => {
  it('ends with the first buyer that accepts', async () => {
    const { steps, recorded, returned } = stepsWith();
    const attempts = [said('accepted', 'a', 1)];
    expect(await goItsWay(steps, 'lead', {})).toEqual({ status: 'ACCEPTED', attempts });
    expect(recorded).toMatchObject([{ status: 'ACCEPTED', attempts }]);
    expect(returned).toEqual([]);
  });

  it('continues after a refusal, and releases the slot', async () => {
    const { steps, recorded, returned } = stepsWith({
      deliver: (_lead, buyerId, n) =>
        Promise.resolve(said(buyerId === 'a' ? 'rejected' : 'accepted', buyerId, n)),
    });
    await goItsWay(steps, 'lead', {});
    const attempts = [said('rejected', 'a', 1), said('accepted', 'b', 2)];
    expect(recorded).toMatchObject([{ status: 'ACCEPTED', attempts }]);
    expect(returned).toEqual(['a']);
  });

  it('ends unmatched when every buyer has refused, or none has room', async () => {
    const refused = stepsWith({
      deliver: (_lead, buyerId, n) => Promise.resolve(said('rejected', buyerId, n)),
    });
    expect(await goItsWay(refused.steps, 'lead', {})).toMatchObject({ status: 'UNMATCHED' });
    expect(refused.returned).toEqual(['a', 'b']);
    const full = stepsWith({ route: () => Promise.resolve(null) });
    expect(await goItsWay(full.steps, 'lead', {})).toEqual({ status: 'UNMATCHED', attempts: [] });
  });

  it('ends a duplicate before any buyer is asked', async () => {
    const { steps, recorded } = stepsWith({ dedupe: () => Promise.resolve('earlier') });
    expect(await goItsWay(steps, 'lead', {})).toEqual({ status: 'DUPLICATE', attempts: [] });
    expect(recorded).toMatchObject([{ duplicateOf: 'earlier', attempts: [] }]);
  });

  it('ends a lead that does not pass the filters', async () => {
    const { steps } = stepsWith({
      filter: () => Promise.resolve({ rejected: true, buyerIds: [], trail: [] }),
    });
    expect(await goItsWay(steps, 'lead', {})).toEqual({ status: 'REJECTED', attempts: [] });
  });

  it('stores nothing more for a lead with invalid fields', async () => {
    const errors = [{ field: 'phone', code: 'required' as const, message: 'Phone is required' }];
    const { steps, recorded } = stepsWith({ validate: () => Promise.resolve({ errors }) });
    expect(await goItsWay(steps, 'lead', {})).toEqual({ errors });
    expect(recorded).toEqual([]);
  });
});
