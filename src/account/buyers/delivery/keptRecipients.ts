/** Recipients from before mails had to be confirmed: naming others beside them takes nothing away from them. */
import type { Collections } from '../../../platform/mongo/collections.js';
import { mailRecipientStore } from '../../store/mailRecipients.js';

/** @param current settings of a delivery, or a target, that are about to be replaced by checked ones */
export async function keepRecipients(
  { mailRecipients }: Pick<Collections, 'mailRecipients'>,
  orgId: string,
  current: object,
): Promise<void> {
  const { to, cc = [], checked } = current as { to?: string[]; cc?: string[]; checked?: true };
  if (!to || checked === true) return;
  await mailRecipientStore(mailRecipients).keep(orgId, [...to, ...cc], new Date());
}
