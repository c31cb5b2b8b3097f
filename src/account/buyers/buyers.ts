import { signingSecretPlace, webhookSecretPlace } from '../rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import type { AccountContext } from '../context.js';
import type { BuyerDoc } from '../store/accountDocs.js';
import { createSecret, hashKey } from '../../platform/security/keys.js';
import { sealSettings } from './sealedHeaders.js';
import { AppError } from '../../lib/errors.js';
import { checkBuyerPing, type BuyerPingInput } from './buyerPing.js';
import { definedOnly } from '../../lib/defined.js';
import { changeRecord } from '../../platform/mongo/changeRecord.js';
import { checkDelivery, readFieldNames, type DeliveryInput } from './delivery.js';
import { requireOverridesFit } from '../links/deliveryOverrides.js';
import { claimNamedSheet, keepRecipients } from './delivery/storedSettings.js';
import { requirePlanFits } from '../plans/planSize.js';
import { publishForBuyer } from '../plans/publish.js';
import { checkRateLimit, POSTBACK_RATE } from '../rateLimit.js';
import { BUYER } from '../settings/buyerSettings.js';
import type { InputOf } from '../settings/settingsTable.js';
import { checkName, refuseTakenName } from '../values.js';
import { markPublished, unpublishedNow, bumpVersion } from '../plans/unpublished.js';

export interface BuyerInput extends InputOf<typeof BUYER> {
  name: string;
  /** Without it the method is STORE, which sends nothing, until a delivery is set. */
  delivery?: DeliveryInput;
}

/** A new buyer with its two secrets, which are stored sealed from here on. */
export interface CreatedBuyer {
  buyer: BuyerDoc;
  /** What the buyer sends as X-Buyer-Secret. */
  webhook_secret: string;
  /** What deliveries to the buyer are signed with. */
  signing_secret: string;
}

/** @throws {AppError} `validation_failed` for a bad value or a taken name */
export async function createBuyer(
  account: AccountContext,
  input: BuyerInput,
): Promise<CreatedBuyer> {
  const { collections, orgId, keyring, policy, clock } = account;
  const fieldNames = await readFieldNames(account);
  const webhookSecret = createSecret();
  const signingSecret = createSecret();
  const _id = randomUUID();
  const delivery = checkDelivery(input.delivery ?? { method: 'STORE' }, { policy, fieldNames });
  const buyer: BuyerDoc = {
    _id,
    org_id: orgId,
    name: checkName(input.name),
    ...BUYER.defaults,
    ...BUYER.read(input),
    delivery: sealSettings(delivery, _id, keyring),
    delivery_unset: input.delivery ? undefined : true,
    webhook_secret: keyring.seal(webhookSecret, webhookSecretPlace(_id)),
    webhook_secret_hash: hashKey(webhookSecret),
    signing_secret: keyring.seal(signingSecret, signingSecretPlace(_id)),
    created_at: clock.now(),
  };
  await claimNamedSheet(account, buyer.delivery, 'delivery');
  await refuseTakenName('buyer', buyer.name, () => collections.buyers.insertOne(buyer));
  await bumpVersion(collections, orgId);
  return { buyer, webhook_secret: webhookSecret, signing_secret: signingSecret };
}

interface BuyerChanges extends Partial<BuyerInput> {
  ping?: BuyerPingInput;
  archived?: true;
}

/**
 * Sets what is given, leaves the rest, and publishes the buyer's campaigns. Of changes at once none is lost, not even
 * within one setting.
 * @param changes a function where what is set depends on what the buyer is when it is set
 * @throws {AppError} `not_found`, or `validation_failed` for a bad value or a taken name
 */
export async function updateBuyer(
  account: AccountContext,
  buyerId: string,
  changes: BuyerChanges | ((current: BuyerDoc) => Pick<BuyerChanges, 'delivery'>),
): Promise<BuyerDoc> {
  const { collections, orgId, author } = account;
  const changesOf = typeof changes === 'function' ? changes : (): BuyerChanges => changes;
  const name = typeof changes === 'function' ? '' : (changes.name?.trim() ?? '');
  const unpublished = unpublishedNow(author);
  const changed = await refuseTakenName('buyer', name, () =>
    changeRecord(collections.buyers, {
      read: () => findBuyer(account, buyerId),
      set: (current) => checkChanges(account, current, changesOf(current)),
      marks: { unpublished },
    }),
  );
  await publishForBuyer({ collections, author }, buyerId);
  await bumpVersion(collections, orgId);
  await markPublished(collections.buyers, buyerId, unpublished);
  return changed;
}

/**
 * Pauses the buyer for good and leaves it out of lists: nothing is sold to it in any campaign until a change of its status
 * brings it back. Repeating it changes nothing.
 * @throws {AppError} `not_found`
 */
export const archiveBuyer = (account: AccountContext, buyerId: string): Promise<BuyerDoc> =>
  updateBuyer(account, buyerId, { status: 'paused', archived: true });

/** The changes as the buyer stores them. */
async function checkChanges(
  account: AccountContext,
  current: BuyerDoc,
  changes: BuyerChanges,
): Promise<Partial<BuyerDoc>> {
  const { collections, keyring, policy, clock } = account;
  const buyerId = current._id;
  const namesFields = changes.delivery !== undefined || changes.ping !== undefined;
  const fieldNames = namesFields ? await readFieldNames(account) : [];
  const sealed = <T extends object>(settings: T): T => sealSettings(settings, buyerId, keyring);
  const checked = definedOnly({
    ...BUYER.read(changes, {
      rate_limit: (given) => checkRateLimit(POSTBACK_RATE, given, current.rate_limit),
    }),
    // The operator sets this status: from then on only the operator resumes the buyer.
    paused_by: changes.status && null,
    archived_at: changes.archived ? (current.archived_at ?? clock.now()) : changes.status && null,
    name: changes.name === undefined ? undefined : checkName(changes.name),
    delivery_unset: changes.delivery && current.delivery_unset ? false : undefined,
    delivery:
      changes.delivery === undefined
        ? undefined
        : sealed(checkDelivery(changes.delivery, { policy, fieldNames }, current.delivery)),
    ping:
      changes.ping && sealed(checkBuyerPing(changes.ping, { policy, fieldNames }, current.ping)),
  });
  if (checked.delivery)
    await requireOverridesFit(collections, buyerId, current.delivery, checked.delivery);
  if (namesFields) await requirePlansFit(account, { ...current, ...checked }, changes);
  if (checked.delivery) {
    await claimNamedSheet(account, checked.delivery, 'delivery');
    await keepRecipients(account, current.delivery);
  }
  return checked;
}

/** A buyer's settings are in the plan of each of its campaigns. */
async function requirePlansFit(
  { collections }: AccountContext,
  changed: BuyerDoc,
  { delivery }: Partial<BuyerInput>,
): Promise<void> {
  const linked = { buyer_id: changed._id };
  for (const id of await collections.campaignBuyers.distinct('campaign_id', linked)) {
    await requirePlanFits(collections, id, delivery ? 'delivery' : 'ping', (account) => ({
      ...account,
      buyers: account.buyers.map((one) =>
        one.buyer._id === changed._id ? { ...one, buyer: changed } : one,
      ),
    }));
  }
}

/** @throws {AppError} `not_found` when the organization has no such buyer */
export async function findBuyer(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  buyerId: string,
): Promise<BuyerDoc> {
  const buyer = await collections.buyers.findOne({ _id: buyerId, org_id: orgId });
  if (buyer) return buyer;
  throw new AppError('not_found', `There is no buyer ${buyerId}.`);
}
