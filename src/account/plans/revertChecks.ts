/** What forbids a campaign to revert to a version: where leads and headers would be sent now. */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession } from 'mongodb';
import { withoutKeys } from '../../lib/defined.js';
import { AppError } from '../../lib/errors.js';
import { checkDelivery } from '../buyers/delivery.js';
import { sealSettings, type Sealing } from '../buyers/sealedHeaders.js';
import { headersFollow, mergeDelivery, overridesOf } from '../links/deliveryOverrides.js';
import type { DeliverySettings } from '../rules/deliverySettings.js';
import type { Plan } from '../rules/plan.js';
import { placeholdersOf } from '../rules/template.js';
import type { AccountCollections } from '../store/collections.js';
import type { CampaignAccount } from './compilePlan.js';

/** @throws {AppError} `forbidden` where the version overrides a delivery in another way than the campaign does now */
export function refuseRedirection(
  target: Plan,
  { buyers }: CampaignAccount,
  keyring: Sealing,
): void {
  const now = new Map(
    buyers.map(({ link: { buyer_id, delivery } }) => [
      buyer_id,
      delivery ? sealSettings(delivery, buyer_id, keyring) : null,
    ]),
  );
  const other = target.buyers.find(
    (terms) => !isDeepStrictEqual(overridesOf(terms), now.get(terms.buyer_id) ?? null),
  );
  if (!other) return;
  const required = 'buyers:write';
  const message =
    `Version ${target.version} has another delivery override for ${other.name} than the campaign has now. Changing ` +
    `it needs the permission ${required}, which the caller does not have.`;
  throw new AppError('forbidden', message, { required });
}

/**
 * Headers that a version has for one campaign alone were given for the address of that time. If that was the buyer's
 * own address, and the buyer's has since moved to another origin, a reversion would send the headers there.
 * @throws {AppError} `action_refused` naming the buyer
 */
export async function refuseHeadersElsewhere(
  target: Plan,
  { buyers }: Pick<AccountCollections, 'buyers'>,
  session: ClientSession,
): Promise<void> {
  const withHeaders = target.buyers.filter((terms) => overridesOf(terms)?.headers);
  if (withHeaders.length === 0) return;
  const ids = withHeaders.map(({ buyer_id }) => buyer_id);
  const found = await buyers
    .find({ _id: { $in: ids } }, { session, projection: { delivery: 1 } })
    .toArray();
  const now = new Map(found.map(({ _id, delivery }) => [_id, delivery]));
  const moved = withHeaders.find((terms) => {
    const [overrides, delivery] = [overridesOf(terms), now.get(terms.buyer_id)];
    if (!overrides || !delivery) return false;
    return headersFollow(terms.delivery, mergeDelivery(delivery, overrides), overrides);
  });
  if (!moved) return;
  const fact = `Version ${target.version} has header overrides for ${moved.name}, whose address now has another origin`;
  throw new AppError(
    'action_refused',
    `${fact}: they would be sent there. Change the campaign by hand, and give the headers again.`,
  );
}

/**
 * A version's overrides extend the buyer's own delivery, which may have changed since.
 * @throws {AppError} `action_refused` naming the first buyer whose delivery it does not fit
 */
export function requireDeliverable(version: number, { buyers }: CampaignAccount): void {
  for (const { buyer, link } of buyers) {
    const problem = link.delivery ? misfit(mergeDelivery(buyer.delivery, link.delivery)) : null;
    if (problem === null) continue;
    const text =
      `Version ${version} overrides settings of the delivery of ${buyer.name} that do not fit its current delivery: ` +
      problem;
    throw new AppError(
      'action_refused',
      `${text} Change the campaign by hand, or the delivery first (set_buyer_delivery). Nothing was changed.`,
    );
  }
}

/** The fault of merged settings; null: none. */
function misfit(delivery: DeliverySettings): string | null {
  // Headers were checked when they were set, and a field that has since been removed is no reason to refuse.
  const settings = withoutKeys({ headers: null, checked: null, ...delivery }, [
    'headers',
    'checked',
  ]);
  const texts = 'template' in delivery ? [delivery.template ?? null] : [];
  const subject = 'subject' in delivery ? [delivery.subject] : [];
  const columns = 'columns' in delivery ? (delivery.columns ?? []) : [];
  const fieldNames = [...placeholdersOf([...texts, ...subject]), ...columns];
  const policy = { allowPrivate: true, mail: true, sheets: true };
  try {
    checkDelivery(settings, { policy, fieldNames });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}
