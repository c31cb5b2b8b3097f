/** New secrets for buyers. */
import { z } from 'zod';
import {
  OVERLAP_HOURS_MAX,
  rotateSecret,
  SECRET_KINDS,
} from '../../../account/buyers/rotateSecret.js';
import { defineAction } from '../action.js';
import { id, Instant, recordId } from '../schemas/common.js';

const NewSecret = z.string().optional();

export const rotateBuyerSecret = defineAction({
  name: 'rotate_buyer_secret',
  cli: ['buyers', 'rotate-secret'],
  summary: 'Give a buyer a new secret',
  description:
    'The new secret is shown this once, and counts at once. webhook: what the buyer sends with outcomes; the old one is ' +
    'taken too until the overlap ends, and any older one no more. signing: what the buyer is sent is signed with the new ' +
    'one from now on, and until the overlap ends webhook-signature has a signature by each; X-LeadDistro-Signature is by ' +
    'the new one alone.',
  effect: 'destroy',
  idempotent: false,
  permission: 'buyers:write',
  input: z.strictObject({
    buyer_id: id('buyer'),
    secret: z.enum(SECRET_KINDS).describe('Which of its two secrets'),
    overlap_hours: z
      .number()
      .int()
      .min(0)
      .max(OVERLAP_HOURS_MAX)
      .default(24)
      .describe('How long the old one counts too; 0: no more'),
  }),
  example: {
    buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
    secret: 'webhook',
    overlap_hours: 24,
  },
  output: z.object({
    buyer_id: recordId('buyer'),
    secret: z.enum(SECRET_KINDS).describe('Which of its two secrets'),
    webhook_secret: NewSecret.describe('Of webhook: the new one, which the buyer sends'),
    signing_secret: NewSecret.describe('Of signing: the new one, which leads are signed with'),
    previous_until: Instant.nullable().describe('Until then the old one counts too; null: no more'),
  }),
  async run({ buyer_id, secret: kind, overlap_hours }, { collections, keyring, caller, clock }) {
    const { secret, previousUntil } = await rotateSecret(
      collections,
      keyring,
      { org_id: caller.org_id, buyer_id },
      { kind, overlapHours: overlap_hours, now: clock.now() },
    );
    return {
      buyer_id,
      secret: kind,
      ...(kind === 'webhook' ? { webhook_secret: secret } : { signing_secret: secret }),
      previous_until: previousUntil?.toISOString() ?? null,
    };
  },
});
