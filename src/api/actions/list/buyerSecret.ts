/** New secrets for buyers. */
import { z } from 'zod';
import { rotateSecret, SECRET_KINDS } from '../../../account/buyers/rotateSecret.js';
import { OverlapHours } from '../../../account/overlapSchema.js';
import { defineAction } from '../action.js';
import { ACCESS } from '../exits.js';
import { id, Instant, recordId } from '../schemas/common.js';

const NewSecret = z.string().optional();

export const rotateBuyerSecret = defineAction({
  name: 'rotate_buyer_secret',
  cli: ['buyers', 'rotate-secret'],
  summary: 'Rotate a secret of a buyer',
  description:
    'The new secret is shown only once, and takes effect at once. webhook: the buyer sends it with outcomes; the ' +
    'previous one is also accepted until the overlap ends, and older ones are refused. signing: requests to the ' +
    'buyer are signed with the new one from now on; until the overlap ends, webhook-signature has one signature for ' +
    'each secret, and X-LeadDistro-Signature uses only the new one.',
  effect: 'destroy',
  idempotent: false,
  permission: 'buyers:write',
  guards: 'key_changed',
  letsOut: [ACCESS],
  input: z.strictObject({
    buyer_id: id('buyer'),
    secret: z.enum(SECRET_KINDS).describe('Which of the two secrets'),
    overlap_hours: OverlapHours.describe(
      'Hours for which the previous secret also counts; 0: it ends at once',
    ),
  }),
  example: {
    buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
    secret: 'webhook',
    overlap_hours: 24,
  },
  output: z.object({
    buyer_id: recordId('buyer'),
    secret: z.enum(SECRET_KINDS).describe('Which of the two secrets'),
    webhook_secret: NewSecret.describe('For webhook: the new secret, which the buyer sends'),
    signing_secret: NewSecret.describe('For signing: the new secret, which signs leads'),
    previous_until: Instant.nullable().describe(
      'Until then the previous secret also counts; null: it ended',
    ),
  }),
  async run({ buyer_id, secret: kind, overlap_hours: overlapHours }, context) {
    const { secret, previousUntil } = await rotateSecret(context, buyer_id, { kind, overlapHours });
    return {
      buyer_id,
      secret: kind,
      ...(kind === 'webhook' ? { webhook_secret: secret } : { signing_secret: secret }),
      previous_until: previousUntil,
    };
  },
});
