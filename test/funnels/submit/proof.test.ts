import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { describe, expect, it } from '@jest/globals';
import { createProofs } from '../../../src/funnels/submit/proof.js';
import { funnelKeyOf } from '../../../src/platform/security/seal.js';

const proofs = createProofs(funnelKeyOf('a secret of the installation'));
const packed = (payload: unknown): string =>
  Buffer.from(JSON.stringify(payload)).toString('base64');

async function solve(challenge: Challenge) {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('not solved');
  return { challenge, solution };
}

describe('a proof of work', () => {
  it('is valid for its page, and for no other', async () => {
    const proof = packed(await solve(await proofs.challenge('page-1', false)));
    expect(await proofs.judge(proof, 'page-1')).toBe('valid');
    expect(await proofs.judge(proof, 'page-2')).toBe('other');
  });

  it('is four times as much work under heavy traffic', async () => {
    const tries = async (isRush: boolean): Promise<number> =>
      (await solve(await proofs.challenge('page', isRush))).solution.counter;
    const [usual, rush] = [await tries(false), await tries(true)];
    expect([usual >= 100 && usual < 200, rush >= 400 && rush < 800]).toEqual([true, true]);
  });

  it('is invalid when any part of it differs', async () => {
    const { challenge, solution } = await solve(await proofs.challenge('page-1', false));
    const { parameters } = challenge;
    const others = [
      { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
      { challenge: { ...challenge, signature: '00'.repeat(32) }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, cost: 1 } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, data: { page: 'p' } } }, solution },
      { challenge: { parameters }, solution },
      { solution },
      null,
    ];
    const forger = createProofs(funnelKeyOf('another secret'));
    const forged = packed(await solve(await forger.challenge('page-1', false)));
    const texts = [...others.map(packed), forged, 'no base64', '', 'A'.repeat(1_000_000)];
    expect(await Promise.all(texts.map((text) => proofs.judge(text, 'page-1')))).toEqual(
      texts.map(() => 'invalid'),
    );
  });
});
