import { describe, expect, it } from '@jest/globals';
import { before, NOW } from '../../support/storedRows.js';
import { openClaims, WINDOW_DAYS } from './claimScene.js';

const DAY_MS = 86_400_000;

describe('claims', () => {
  const scene = openClaims();
  const { aClaim, stored, request, holderOf } = scene;
  const claim = (claim_id: string, ...leadIds: string[]) =>
    scene.claims.claim([leadIds.map((lead_id) => request(claim_id, lead_id))], NOW);

  it('returns the holder of a claim without claiming anything', async () => {
    const [sold = '', refused = '', old = ''] = await Promise.all([
      stored(1, { status: 'ACCEPTED', buyer_id: 'buyer' }),
      stored(1),
      stored(1, { status: 'ACCEPTED', created_at: before(WINDOW_DAYS * DAY_MS) }),
    ]).then((groups) => groups.flat());
    const [held, lost, past, free] = [aClaim(), aClaim(), aClaim(), aClaim()];
    await claim(held, sold);
    await claim(lost, refused);
    await claim(past, old);
    await scene.database.collections.leads.updateOne(
      { _id: refused },
      { $set: { status: 'UNMATCHED' } },
    );
    const asked = [free, lost, past, held].map((claim_id) => request(claim_id, 'ping'));
    const holders = await scene.claims.holders([...asked, request(free, 'another')], NOW);
    expect([...holders].map(([by, { _id, buyer_id }]) => [by, _id, buyer_id])).toEqual([
      ['ping', sold, 'buyer'],
    ]);
    expect(await holderOf(free)).toBeUndefined();
    expect(await scene.claims.holders([], NOW)).toEqual(new Map());
  });

  it('has exactly one winner in each of 20 rounds of two leads', async () => {
    const ids = await stored(40);
    const rounds = Array.from({ length: 20 }, async (_, n) => {
      const claimId = aClaim();
      const [a = '', b = ''] = [ids[2 * n], ids[2 * n + 1]];
      const lost = await Promise.all([claim(claimId, a), claim(claimId, b)]);
      const losers = lost.flatMap((group) => [...group.keys()]);
      const holder = await holderOf(claimId);
      expect(losers).toEqual([holder === a ? b : a]);
      expect(lost.flatMap((group) => [...group.values()])[0]?._id).toBe(holder);
    });
    await Promise.all(rounds);
  });

  it('gives a shared value to one lead of a group', async () => {
    const ids = await stored(5);
    const claimId = aClaim();
    const lost = await claim(claimId, ...ids);
    const holder = await holderOf(claimId);
    expect(new Set(lost.keys())).toEqual(new Set(ids.filter((id) => id !== holder)));
  });

  it('leaves a winner in each of 10 rounds of leads that share one field with one and another with another', async () => {
    const rounds = Array.from({ length: 10 }, async () => {
      const [a = '', b = ''] = await stored(2);
      const [phone, email] = [aClaim(), aClaim()];
      // In one call, each also has the other's first field: claimed at once, both would lose.
      const [first, second] = await Promise.all(
        [a, b].map((id) => scene.claims.claim([[request(phone, id)], [request(email, id)]], NOW)),
      );
      expect([first?.size, second?.size].sort()).toEqual([0, 1]);
    });
    await Promise.all(rounds);
  });

  it('claims no later field for a lead that lost an earlier one', async () => {
    const [a = '', b = ''] = await stored(2);
    const [phone, email] = [aClaim(), aClaim()];
    await claim(phone, a);
    const lost = await scene.claims.claim([[request(phone, b)], [request(email, b)]], NOW);
    expect([...lost.keys()]).toEqual([b]);
    expect(await holderOf(email)).toBeUndefined();
  });

  it('claims each field of a lone lead, those that it has already too', async () => {
    const [a = '', b = ''] = await stored(2);
    const [phone, email] = [aClaim(), aClaim()];
    const both = (id: string) =>
      scene.claims.claim([[request(phone, id)], [request(email, id)]], NOW);
    await claim(phone, a);
    expect(await both(a)).toEqual(new Map());
    expect(await both(a)).toEqual(new Map());
    expect([await holderOf(phone), await holderOf(email)]).toEqual([a, a]);
    expect([...(await both(b)).keys()]).toEqual([b]);
  });

  it('returns the holder of the later field of a lone lead, which keeps the earlier one', async () => {
    const [a = '', b = ''] = await stored(2);
    const [phone, email] = [aClaim(), aClaim()];
    await claim(email, a);
    const lost = await scene.claims.claim([[request(phone, b)], [request(email, b)]], NOW);
    expect([...lost].map(([id, { _id }]) => [id, _id])).toEqual([[b, a]]);
    expect(await holderOf(phone)).toBe(b);
  });

  it('lets a lead claim its own value again', async () => {
    const [id = ''] = await stored(1);
    const claimId = aClaim();
    expect(await claim(claimId, id)).toEqual(new Map());
    expect(await claim(claimId, id)).toEqual(new Map());
    expect(await holderOf(claimId)).toBe(id);
  });

  it.each(['NEW', 'PENDING', 'ACCEPTED'] as const)(
    'keeps the claim of a %s lead',
    async (status) => {
      const [holder = ''] = await stored(1, {
        status,
        created_at: before(WINDOW_DAYS * DAY_MS - 1),
      });
      const [later = ''] = await stored(1);
      const claimId = aClaim();
      await claim(claimId, holder);
      expect((await claim(claimId, later)).get(later)).toMatchObject({ _id: holder, status });
      expect(await holderOf(claimId)).toBe(holder);
    },
  );

  it.each(['UNMATCHED', 'DUPLICATE', 'REJECTED', 'EXPIRED', 'WITHDRAWN'] as const)(
    'passes the claim of a lead that ended %s to the next',
    async (status) => {
      const [holder = ''] = await stored(1, { status });
      const [later = '', third = ''] = await stored(2);
      const claimId = aClaim();
      await claim(claimId, holder);
      expect(await claim(claimId, later)).toEqual(new Map());
      expect(await holderOf(claimId)).toBe(later);
      expect((await claim(claimId, third)).get(third)?._id).toBe(later);
    },
  );

  it('passes on the claim of a sold lead that is outside the window', async () => {
    const created_at = before(WINDOW_DAYS * DAY_MS);
    const [holder = ''] = await stored(1, { status: 'ACCEPTED', created_at });
    const [later = ''] = await stored(1);
    const claimId = aClaim();
    await claim(claimId, holder);
    expect(await claim(claimId, later)).toEqual(new Map());
    expect(await holderOf(claimId)).toBe(later);
  });

  it('passes on the claim of a lead that was never stored', async () => {
    const [later = ''] = await stored(1);
    const claimId = aClaim();
    await claim(claimId, 'a lead whose insert failed');
    expect(await claim(claimId, later)).toEqual(new Map());
  });

  it('never has two winners when 10 take over at once', async () => {
    for (let round = 0; round < 3; round++) {
      const [ended = ''] = await stored(1, { status: 'EXPIRED' });
      const contenders = await stored(10);
      const claimId = aClaim();
      await claim(claimId, ended);
      const lost = await Promise.all(contenders.map((id) => claim(claimId, id)));
      const losers = new Set(lost.flatMap((group) => [...group.keys()]));
      const winners = contenders.filter((id) => !losers.has(id));
      expect(winners).toEqual([await holderOf(claimId)]);
    }
  });
});
