/** Recipients from before mails had to be confirmed: they stay confirmed when others are added to them. */
import type { AccountCollections } from '../../store/collections.js';
import { createMailRecipientStore } from '../../store/mailRecipients.js';

/** @param current settings of a delivery, or a target, that are about to be replaced by checked ones */
export async function keepRecipients(
  { mailRecipients }: Pick<AccountCollections, 'mailRecipients'>,
  orgId: string,
  current: object,
): Promise<void> {
  const { to, cc = [], checked } = current as { to?: string[]; cc?: string[]; checked?: true };
  if (!to || checked === true) return;
  await createMailRecipientStore(mailRecipients).keep(orgId, [...to, ...cc], new Date());
}
