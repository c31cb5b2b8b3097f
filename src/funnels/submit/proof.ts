/** Proofs of work: what a browser computes before it may submit, when a funnel receives more submits than expected. */
import { createHmac, randomInt, type KeyObject } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { z } from 'zod';

/** other: a proof of another page. invalid: wrong, or no proof at all. */
export type ProofVerdict = 'valid' | 'other' | 'invalid';

const ALGORITHM = 'PBKDF2/SHA-256';
/** A fifth of a second on a desktop, a second on a slow phone; checked by one HMAC. */
const COST = 5_000;
const TRIES_MIN = 100;
const RUSH_FACTOR = 4;
const PROOF_MAX = 4_000;

const Payload = z.object({
  challenge: z.object({
    parameters: z.object({
      algorithm: z.literal(ALGORITHM),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      data: z.object({ page: z.string() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

export type Proofs = ReturnType<typeof createProofs>;

export function createProofs(key: KeyObject) {
  const secretFor = (purpose: string): string =>
    createHmac('sha256', key).update(purpose).digest('base64url');
  const secrets = {
    hmacSignatureSecret: secretFor('proof of work'),
    hmacKeySignatureSecret: secretFor('solution of work'),
  };
  return {
    /**
     * Work for the page of this nonce, and for no other.
     * @param isRush submits far exceed the expected number: four times the work
     */
    challenge: (page: string, isRush: boolean): Promise<Challenge> => {
      const least = isRush ? TRIES_MIN * RUSH_FACTOR : TRIES_MIN;
      const counter = randomInt(least, 2 * least);
      const asked = { algorithm: ALGORITHM, cost: COST, counter, data: { page } };
      return createChallenge({ ...asked, ...secrets, deriveKey });
    },
    /** @param text base64 of the JSON that altcha-lib calls a payload */
    async judge(text: string, nonce: string): Promise<ProofVerdict> {
      const payload = payloadOf(text);
      if (!payload) return 'invalid';
      const { verified } = await verifySolution({ ...payload, ...secrets, deriveKey });
      if (!verified) return 'invalid';
      return payload.challenge.parameters.data.page === nonce ? 'valid' : 'other';
    },
  };
}

function payloadOf(text: string): z.output<typeof Payload> | null {
  if (text.length > PROOF_MAX) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return Payload.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}
