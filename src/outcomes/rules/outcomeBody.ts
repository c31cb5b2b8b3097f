/** A buyer's postback as it is written: its report and its lead, or every fault of it (contract 7.1). */
import type { FieldError } from '../../lib/errors.js';
import { BodyReader, VALUE_MAX } from './bodyReader.js';
import type { Scalar } from '../../fields/values.js';
import type { Micros } from '../../fields/money.js';
import { BUYER_OUTCOMES, type OutcomeAsk } from '../../leads/rules/saleChange.js';

/** The reported values; at least one of these. */
export type OutcomeReport = Omit<OutcomeAsk, 'kind'>;

/** Which lead is meant: by its id, or by the value of one of its fields within a campaign. */
export type MeantLead =
  | { lead_id: string; campaign_id?: string }
  | {
      field: string;
      value: Scalar;
      campaign_id: string;
      /** The key of the body that names the field, and the one that has the value. */
      named: { field: string; value: string };
    };

export interface OutcomeBody {
  report: OutcomeReport;
  meant: MeantLead;
  idempotency_key?: string;
}

export type OutcomeReading = { ok: true; body: OutcomeBody } | { ok: false; errors: FieldError[] };

export const NOTE_MAX = 2_000;
export const KEY_MAX = 255;

/** The fields that have a separate key in the body. */
const OWN_PATHS = ['phone', 'email', 'click_id'] as const;
const UPDATABLE = 'outcome, conversion_revenue, lead_value, note';
const PATHS = 'lead_id, or campaign_id with phone, email, click_id, or match_field and match_value';

/**
 * Reads the whole body and reports all faults at once. Unknown keys are ignored; null and
 * blank text count as missing, except that a blank `outcome` is none of its words.
 * @param isForm the body was a form: its numbers are text
 */
export function readOutcomeBody(body: Record<string, unknown>, isForm: boolean): OutcomeReading {
  const reader = new BodyReader(body, isForm);
  const report = readReport(reader);
  const meant = readMeant(reader);
  const key = reader.text('idempotency_key', KEY_MAX);
  const { errors } = reader;
  if (errors.length > 0 || !meant) return { ok: false, errors };
  return { ok: true, body: { report, meant, idempotency_key: key } };
}

function readReport(reader: BodyReader): OutcomeReport {
  const outcome = readOutcome(reader);
  const conversion_revenue = readRevenue(reader);
  const lead_value = reader.money('lead_value');
  const note = reader.text('note', NOTE_MAX);
  const names = ['outcome', 'conversion_revenue', 'revenue', 'lead_value', 'note'];
  if (!reader.isBlank('outcome') && !names.some((name) => reader.has(name)))
    reader.fault('outcome', 'required', `At least one of ${UPDATABLE} must be sent`);
  return { outcome, conversion_revenue, lead_value, note };
}

/** Exactly as contract 7.1 spells them: any other value gives 400. */
function readOutcome(reader: BodyReader): OutcomeReport['outcome'] {
  const text = reader.scalar('outcome');
  if (text === undefined && !reader.isBlank('outcome')) return undefined;
  const outcome = BUYER_OUTCOMES.find((one) => one === text);
  if (!outcome)
    reader.fault(
      'outcome',
      'not_allowed',
      `outcome must be exactly one of ${BUYER_OUTCOMES.join(', ')}`,
    );
  return outcome;
}

/** `revenue` is another name of `conversion_revenue`; both may come if they are equal. */
function readRevenue(reader: BodyReader): Micros | undefined {
  const [revenue, alias] = [reader.money('conversion_revenue'), reader.money('revenue')];
  if (revenue !== undefined && alias !== undefined && revenue !== alias)
    reader.fault(
      'revenue',
      'not_allowed',
      'revenue is another name of conversion_revenue: send one of the two, or the same number in both',
    );
  return revenue ?? alias;
}

function readMeant(reader: BodyReader): MeantLead | undefined {
  const campaign_id = reader.text('campaign_id', VALUE_MAX);
  const lead_id = reader.text('lead_id', VALUE_MAX);
  const fields = OWN_PATHS.flatMap((name) => {
    const value = reader.scalar(name);
    return value === undefined ? [] : [{ field: name, value, named: { field: name, value: name } }];
  });
  const named = readNamedField(reader);
  const given = [
    ...(reader.has('lead_id') ? ['lead_id'] : []),
    ...OWN_PATHS.filter((name) => reader.has(name)),
    ...(named.given ? [named.given] : []),
  ];
  const [first, ...others] = given;
  if (first === undefined) {
    reader.fault('lead_id', 'required', `The body must name a lead: ${PATHS}`);
    return undefined;
  }
  for (const other of others)
    reader.fault(
      other,
      'not_allowed',
      `${other} must not be sent with ${first}: name the lead in one way`,
    );
  if (first === 'lead_id') {
    if (lead_id === undefined) return undefined;
    return { lead_id, campaign_id };
  }
  if (!reader.has('campaign_id'))
    reader.fault('campaign_id', 'required', `campaign_id is required with ${first}`);
  const field = fields[0] ?? named.field;
  return field && campaign_id !== undefined ? { ...field, campaign_id } : undefined;
}

/** `match_field` and `match_value`, which belong together. */
function readNamedField(reader: BodyReader) {
  const field = reader.text('match_field', VALUE_MAX);
  const value = reader.scalar('match_value');
  const [hasField, hasValue] = [reader.has('match_field'), reader.has('match_value')];
  if (!hasField && !hasValue) return {};
  if (!hasValue)
    reader.fault('match_value', 'required', 'match_value is required with match_field');
  if (!hasField)
    reader.fault('match_field', 'required', 'match_field is required with match_value');
  const given = hasField ? 'match_field' : 'match_value';
  const named = { field: 'match_field', value: 'match_value' };
  if (field === undefined || value === undefined) return { given };
  return { given, field: { field, value, named } };
}
