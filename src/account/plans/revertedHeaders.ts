/** Headers of an earlier version that would now go to another origin than they did then. */
import type { ClientSession } from 'mongodb';
import type { Plan } from '../rules/plan.js';
import { AppError } from '../../lib/errors.js';
import type { AccountCollections } from '../store/collections.js';
import { headersFollow, mergeDelivery, overridesOf } from '../links/deliveryOverrides.js';

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
