/** Reads the reported outcome of a sale, from an action or a call of its buyer's portal. */
import { checkMoney } from '../../account/values.js';
import type { OutcomeReport } from '../../outcomes/rules/outcomeBody.js';
import { invalidField } from './readInput.js';

interface Input {
  outcome?: OutcomeReport['outcome'];
  conversion_revenue?: number;
  lead_value?: number;
  note?: string;
}

/** @throws {AppError} `invalid_input` for an empty report; `validation_failed` for money with too many digits */
export function readReport(input: Input): OutcomeReport {
  const { outcome, conversion_revenue: revenue, lead_value: value } = input;
  const note = input.note?.trim() === '' ? undefined : input.note?.trim();
  if ([outcome, revenue, value, note].every((one) => one === undefined)) {
    const message = 'At least one of outcome, conversion_revenue, lead_value and note is required.';
    throw invalidField('outcome', 'required', message);
  }
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(revenue === undefined
      ? {}
      : { conversion_revenue: checkMoney('conversion_revenue', revenue) }),
    ...(value === undefined ? {} : { lead_value: checkMoney('lead_value', value) }),
    ...(note === undefined ? {} : { note }),
  };
}
