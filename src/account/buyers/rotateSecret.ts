/** New secrets for a buyer. */
import { signingSecretPlace, webhookSecretPlace } from '../rules/sealedPlaces.js';
import { createSecret, hashKey } from '../../platform/security/keys.js';
import { AppError } from '../../lib/errors.js';
import type { AccountContext } from '../context.js';
import { publishForBuyer } from '../plans/publish.js';
import { overlapEnd } from '../overlapSchema.js';
import { markPublished, unpublishedNow, bumpVersion } from '../plans/unpublished.js';

/** webhook: what the buyer sends with outcomes. signing: what requests to the buyer are signed with. */
export const SECRET_KINDS = ['webhook', 'signing'] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

export interface RotatedSecret {
  /** The new one, which is shown this once. */
  secret: string;
  /** Until then the previous secret is valid too; null: it is invalid from now on. */
  previousUntil: Date | null;
}

/**
 * Makes a new secret, which is valid from now on in every process. A webhook secret that is replaced stays valid until
 * the overlap ends; one that was replaced earlier still ends now: there are never more than two. Requests to the buyer
 * are signed with the new secret at once, and until the overlap ends with the old one too: `webhook-signature` has
 * both, `X-LeadDistro-Signature` has room for the new one only. A buyer that checks that header should therefore accept
 * the old secret too, for requests that are already on their way.
 * @param overlapHours 0 to 168
 * @throws {AppError} `not_found`, `validation_failed`
 */
export async function rotateSecret(
  { collections, orgId, keyring, clock, author }: Omit<AccountContext, 'policy'>,
  buyerId: string,
  { kind, overlapHours }: { kind: SecretKind; overlapHours: number },
): Promise<RotatedSecret> {
  const previousUntil = overlapEnd(overlapHours, clock.now());
  const secret = createSecret();
  const place = kind === 'webhook' ? webhookSecretPlace(buyerId) : signingSecretPlace(buyerId);
  const sealed = { $literal: keyring.seal(secret, place) };
  const change =
    kind === 'webhook'
      ? {
          webhook_secret: sealed,
          webhook_secret_hash: hashKey(secret),
          previous_webhook: previousUntil
            ? { hash: '$webhook_secret_hash', until: previousUntil }
            : '$$REMOVE',
        }
      : {
          signing_secret: sealed,
          previous_signing_until: previousUntil ?? '$$REMOVE',
          previous_signing: previousUntil
            ? { secret: '$signing_secret', until: previousUntil }
            : '$$REMOVE',
        };
  const unpublished = unpublishedNow(author);
  // One update: two calls at the same moment each replace the other's secret, and neither secret is lost.
  const { matchedCount } = await collections.buyers.updateOne({ _id: buyerId, org_id: orgId }, [
    { $set: { ...change, unpublished: { $literal: unpublished } } },
  ]);
  if (matchedCount === 0) throw new AppError('not_found', `There is no buyer ${buyerId}.`);
  if (kind === 'signing') await publishForBuyer({ collections, author }, buyerId);
  await bumpVersion(collections, orgId);
  await markPublished(collections.buyers, buyerId, unpublished);
  return { secret, previousUntil };
}
