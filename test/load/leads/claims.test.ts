/** Many leads that claim the same value at once. */
import { describe, expect, it } from '@jest/globals';
import { NOW } from '../../support/storedRows.js';
import { openClaims } from '../../leads/store/claimScene.js';

describe('claims', () => {
  const scene = openClaims();
  const { aClaim, stored, request, holderOf } = scene;
  /** The leads that lost the claim. */
  const losersOf = async (claimId: string, leadIds: readonly string[]): Promise<Set<string>> => {
    const claim = (id: string) => scene.claims.claim([[request(claimId, id)]], NOW);
    const lost = await Promise.all(leadIds.map(claim));
    return new Set(lost.flatMap((group) => [...group.keys()]));
  };

  it('have exactly one winner in each of 300 rounds of two leads', async () => {
    for (let part = 0; part < 3; part += 1) {
      const ids = await stored(200);
      const rounds = Array.from({ length: 100 }, async (_, n) => {
        const claimId = aClaim();
        const [a = '', b = ''] = [ids[2 * n], ids[2 * n + 1]];
        const losers = await losersOf(claimId, [a, b]);
        expect([...losers]).toEqual([(await holderOf(claimId)) === a ? b : a]);
      });
      await Promise.all(rounds);
    }
  });

  it('leave a winner in each of 150 rounds of leads that share one field with one and another with another', async () => {
    for (let part = 0; part < 3; part += 1) {
      const rounds = Array.from({ length: 50 }, async () => {
        const [phone, email] = [aClaim(), aClaim()];
        const both = (id: string) =>
          scene.claims.claim([[request(phone, id)], [request(email, id)]], NOW);
        const [first, second] = await Promise.all((await stored(2)).map(both));
        expect([first?.size, second?.size].sort()).toEqual([0, 1]);
      });
      await Promise.all(rounds);
    }
  });

  it('never have two winners when 20 take over at once, in 30 rounds', async () => {
    for (let round = 0; round < 30; round++) {
      const [ended = ''] = await stored(1, { status: 'EXPIRED' });
      const contenders = await stored(20);
      const claimId = aClaim();
      await losersOf(claimId, [ended]);
      const losers = await losersOf(claimId, contenders);
      expect(contenders.filter((id) => !losers.has(id))).toEqual([await holderOf(claimId)]);
    }
  });
});
