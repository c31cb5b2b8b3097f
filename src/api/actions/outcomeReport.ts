/** Reads the reported outcome of a sale, from an action or a call of its buyer's portal. */
import { z } from 'zod';
import { checkMoney } from '../../account/values.js';
import type { OutcomeReport } from '../../outcomes/rules/outcomeBody.js';
import { REPORTED_KEYS, type ReportedKey } from '../../leads/rules/saleChange.js';
import { invalidField } from './readInput.js';

interface Input {
  outcome?: OutcomeReport['outcome'];
  conversion_revenue?: number;
  lead_value?: number;
  note?: string;
  clear?: ReportedKey[];
}

/** What was reported before and is to be taken back: a part that is not given stays as it is. */
export const Clear = z
  .array(z.enum(REPORTED_KEYS))
  .max(REPORTED_KEYS.length)
  .optional()
  .meta({ description: 'What is taken back, of what was reported', examples: [['note']] });

/** @throws {AppError} `invalid_input` for an empty report, or for a part that is both given and taken back; `validation_failed` for money with too many digits */
export function readReport(input: Input): OutcomeReport {
  const { outcome, conversion_revenue: revenue, lead_value: value } = input;
  const note = input.note?.trim() === '' ? undefined : input.note?.trim();
  const clear = [...new Set(input.clear)];
  if (clear.length === 0 && [outcome, revenue, value, note].every((one) => one === undefined)) {
    const message = 'At least one of outcome, conversion_revenue, lead_value and note is required.';
    throw invalidField('outcome', 'required', message);
  }
  const both = clear.find((key) => input[key] !== undefined);
  if (both !== undefined)
    throw invalidField('clear', 'not_allowed', `clear must not name ${both}, which is given.`);
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(revenue === undefined
      ? {}
      : { conversion_revenue: checkMoney('conversion_revenue', revenue) }),
    ...(value === undefined ? {} : { lead_value: checkMoney('lead_value', value) }),
    ...(note === undefined ? {} : { note }),
    ...(clear.length === 0 ? {} : { clear }),
  };
}
