/** Deliveries on the wire: attempts to sell a lead to a buyer. */
import { z } from 'zod';
import { METHOD_NAMES } from '../../../account/buyers/deliverySchema.js';
import { FieldScalar } from '../../../fields/values.js';
import { WAIT_CODES } from '../../../routing/rules/whyWaiting.js';
import { RowNames } from '../rowNames.js';
import { Instant, LeadName, Money, orNull, recordId } from './common.js';

/** The states of a delivery as answers show them. */
export const DELIVERY_STATES = [
  ...(['waiting', 'held', 'unknown', 'sending', 'accepted'] as const),
  ...(['rejected', 'failed', 'abandoned', 'expired'] as const),
] as const;
export type ShownDeliveryState = (typeof DELIVERY_STATES)[number];

const DeliveryStateName = z
  .enum(DELIVERY_STATES)
  .describe(
    'held: waits until an operator retries it. unknown: sent and never answered, so the buyer may have the lead. ' +
      'failed: the buyer did not accept it, and the lead goes on. abandoned: never answered, and the lead went on. ' +
      'expired: its time limit passed, or it was dropped',
  );

const Why = {
  why: orNull(z.string()).describe('Why it waits, in a sentence; null: it does not wait'),
  why_code: orNull(z.enum(WAIT_CODES)).describe('The same as a code'),
  waits_until: orNull(Instant).describe(
    'When the reason ends; null: not known, or when an operator decides',
  ),
  next_try_at: orNull(Instant).describe(
    'When it is sent at the earliest; null: not known, or it has ended',
  ),
};

/** A delivery in a list. */
export const DeliveryRow = z.object({
  id: recordId('delivery'),
  lead_id: recordId('lead'),
  lead_name: LeadName,
  campaign_id: recordId('campaign'),
  supplier_id: recordId('supplier'),
  buyer_id: recordId('buyer'),
  state: DeliveryStateName,
  ...Why,
  tries: z.number().int().describe('How often it was sent'),
  created_at: Instant.describe('When it was opened, UTC'),
  age_seconds: z.number().int().describe('How long ago that was'),
  expires_at: orNull(Instant).describe('When its waiting ends; null: it does not wait'),
  settled_at: orNull(Instant).describe('When its latest answer or its end was recorded'),
  http_status: orNull(z.number().int()).describe("Status of the buyer's latest answer"),
  latency_ms: orNull(z.number().int()).describe('How long the latest answer took'),
  reason: orNull(z.string()).describe(
    "Why it ended so, or was not accepted: a code, or the buyer's own words",
  ),
  price: Money.describe('The price of the sale, if the buyer accepts it'),
  is_test: z.boolean().describe('true: of a test lead'),
  ...RowNames,
});

/** What happened to a delivery, step by step. */
const HistoryStep = z.object({
  at: Instant.describe('When it was recorded, UTC'),
  result: z
    .string()
    .describe(
      'accepted, rejected, not_taken, unknown; or a command: retried, held, dropped, resolved',
    ),
  reason: orNull(z.string()).describe("Why: a code, or the buyer's own words"),
  http_status: orNull(z.number().int()).describe("Status of the buyer's answer"),
  latency_ms: orNull(z.number().int()).describe('How long the answer took'),
  by: orNull(z.string()).describe('The key or person whose command it was'),
  note: orNull(z.string()).describe('The note of the command'),
});

/** A request to a buyer as people read it. */
export const ShownRequest = {
  method: z.string().describe(`One of ${METHOD_NAMES.join(', ')}; STORE sends nothing`),
  http: orNull(
    z.object({
      method: z.literal('POST').describe('Always POST'),
      url: z.string().describe('Where it goes'),
      headers: z.record(z.string(), z.string()).describe('Secrets are hidden'),
      body: z.string().describe('As it is sent, byte for byte'),
    }),
  ).describe('The request of a WEBHOOK; null: another method'),
  mail: orNull(z.looseObject({ subject: z.string().describe('Its subject') })).describe(
    'The message of an EMAIL, with to, cc, and text or html; null: another method',
  ),
  row: orNull(
    z.looseObject({ cells: z.array(FieldScalar).describe('The id of the lead first') }),
  ).describe('The row of a GOOGLE_SHEET, with spreadsheet_id and sheet; null: another method'),
};

export const DeliveryView = DeliveryRow.extend({
  reference: orNull(z.string()).describe("The buyer's reference for the lead"),
  answer: orNull(z.string()).describe("The first 500 characters of the buyer's latest answer"),
  request: orNull(z.object(ShownRequest)).describe(
    'The request that was sent, made again from the lead and the terms of that time; header values and signatures are ' +
      'hidden. null: nothing was sent, or the terms are not stored',
  ),
  history: orNull(z.array(HistoryStep)).describe(
    'Its answers and commands, oldest first, from the trail of the lead',
  ),
  can: z
    .array(
      z.object({
        action: z.string().describe('The action to call'),
        text: z.string().describe('Its effect on this delivery'),
      }),
    )
    .describe('The actions that an operator can take now; empty: none'),
});
