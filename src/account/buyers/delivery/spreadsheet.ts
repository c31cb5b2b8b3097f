/** A spreadsheet that a delivery or an automation names belongs to that organization from then on. */
import type { AccountContext } from '../../context.js';
import { claimSpreadsheet } from '../../store/spreadsheets.js';
import { invalidValue } from '../../values.js';

type Names = { spreadsheet_id: string } | object;

/**
 * Called once all else is valid, just before the settings are stored.
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
