/** Returns on the wire. */
import { z } from 'zod';
import { Returns } from '../../../account/buyers/returnsSchema.js';
import { viewShape } from '../../../lib/schema/wireOf.js';
import { RETURN_REASONS } from '../../../outcomes/rules/returnRules.js';
import { RowNames } from '../rowNames.js';
import { Instant, LeadName, Money, orNull, recordId } from './common.js';

export const ReturnReasonName = z.enum(RETURN_REASONS);
export const ReturnStateName = z.enum(['requested', 'accepted', 'rejected']);

export const ReturnSettingsView = orNull(z.object(viewShape(Returns))).describe(
  'Which leads the buyer may return; null: not set, and it may return any',
);

const Author = z
  .object({
    kind: z
      .enum(['buyer', 'user', 'system'])
      .describe('system: accepted automatically, after auto_accept_hours'),
    name: orNull(z.string()).describe('The name of the key; null: none'),
  })
  .describe('Who did it');

export const ReturnView = z.object({
  id: recordId('return'),
  lead_id: recordId('lead'),
  campaign_id: recordId('campaign'),
  buyer_id: recordId('buyer'),
  reason: ReturnReasonName.describe('Why the buyer does not want it'),
  note: z.string().nullable().describe('The comment of the request'),
  state: ReturnStateName.describe('requested: not decided yet'),
  requested_at: Instant.describe('When it was requested, UTC'),
  requested_by: Author,
  auto_accept_at: orNull(Instant).describe('When it is accepted automatically; null: never'),
  resolved_at: orNull(Instant).describe('When it was decided, UTC; null: not yet'),
  resolved_by: orNull(Author).describe('Who decided it; null: not decided yet'),
  resolution_note: orNull(z.string()).describe('The comment of the decision'),
  done: z
    .boolean()
    .describe('true: completed; false: not decided yet, or the sale is being changed'),
  resale_lead_id: orNull(z.string()).describe('The id of the lead that resells it'),
  resale_refused: orNull(z.string()).describe('Why it was not sold again, in words'),
});

/** A return in a list. */
export const ListedReturn = ReturnView.extend({
  ...RowNames,
  lead_name: LeadName,
  supplier_id: orNull(z.string()).describe('Id of the supplier; null: the lead is gone'),
  lead_at: orNull(Instant).describe('When the lead was received; null: it is gone'),
  sold_at: orNull(Instant).describe('When the buyer bought it; null: the lead is gone'),
  price: orNull(Money).describe('The price of the sale'),
  revenue: orNull(Money).describe('The amount that the buyer pays now'),
  cost: orNull(Money).describe('The amount that the supplier gets now'),
  reverse_cost: z
    .boolean()
    .describe('Accepting it takes the payment from the supplier, or took it'),
  resell: z.boolean().describe('Accepting it sells the lead again, or was to'),
});
