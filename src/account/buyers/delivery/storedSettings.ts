/** What storing the settings of a delivery, or the target of an automation, changes beyond their record. */
import type { AccountContext } from '../../context.js';
import { claimSpreadsheet } from '../../store/spreadsheets.js';
import { invalidValue } from '../../values.js';
import { createMailRecipientStore } from '../../store/mailRecipients.js';

type Names = { spreadsheet_id: string } | object;

/**
 * Claims the spreadsheet that they name for the organization. Called once all else is valid, just before the settings are stored.
 * @param settings of a delivery, or the target of an automation; other kinds name no spreadsheet
 * @param prefix precedes the field's name: `delivery` or `target`
 * @throws {AppError} `validation_failed` where it belongs to another organization, without naming that one
 */
export async function claimNamedSheet(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  settings: Names,
  prefix: 'delivery' | 'target',
): Promise<void> {
  if (!('spreadsheet_id' in settings) || typeof settings.spreadsheet_id !== 'string') return;
  if (await claimSpreadsheet(collections, orgId, settings.spreadsheet_id)) return;
  const field = `${prefix}.spreadsheet_id`;
  const message = `${field} names a spreadsheet that another organization of this installation uses. Use a spreadsheet of your own.`;
  throw invalidValue(field, 'not_allowed', message);
}

/**
 * Recipients from before mails had to be confirmed stay confirmed when others are added to them.
 * @param current settings of a delivery, or a target, that are about to be replaced by checked ones
 */
export async function keepRecipients(
  { collections, orgId, clock }: Pick<AccountContext, 'collections' | 'orgId' | 'clock'>,
  current: object,
): Promise<void> {
  const { to, cc = [], checked } = current as { to?: string[]; cc?: string[]; checked?: true };
  if (!to || checked === true) return;
  const recipients = createMailRecipientStore(collections.mailRecipients);
  await recipients.keep(orgId, [...to, ...cc], clock.now());
}
