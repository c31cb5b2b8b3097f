/** Whether the delivery settings that a version overrides fit the deliveries that buyers have now. */
import { AppError } from '../../lib/errors.js';
import { withoutKeys } from '../../lib/defined.js';
import { checkDelivery } from '../buyers/delivery.js';
import { mergeDelivery } from '../links/deliveryOverrides.js';
import type { DeliverySettings } from '../rules/deliverySettings.js';
import { placeholdersOf } from '../rules/template.js';
import type { CampaignAccount } from './compilePlan.js';

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
