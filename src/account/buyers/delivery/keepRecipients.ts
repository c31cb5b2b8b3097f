/** Recipients from before mails had to be confirmed: they stay confirmed when others are added to them. */
import type { AccountContext } from '../../context.js';
import { createMailRecipientStore } from '../../store/mailRecipients.js';

/** @param current settings of a delivery, or a target, that are about to be replaced by checked ones */
export async function keepRecipients(
  { collections, orgId, clock }: Pick<AccountContext, 'collections' | 'orgId' | 'clock'>,
  current: object,
): Promise<void> {
  const { to, cc = [], checked } = current as { to?: string[]; cc?: string[]; checked?: true };
  if (!to || checked === true) return;
  const recipients = createMailRecipientStore(collections.mailRecipients);
  await recipients.keep(orgId, [...to, ...cc], clock.now());
}
