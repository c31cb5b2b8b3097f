/** Returns on the wire. */
import { z } from 'zod';
import { RETURN_REASONS } from '../../../outcomes/rules/returnRules.js';
import { Instant, recordId } from './common.js';

export const ReturnReasonName = z.enum(RETURN_REASONS);
export const ReturnStateName = z.enum(['requested', 'accepted', 'rejected']);

export const ReturnSettingsView = z
  .object({
    allowed: z.boolean().describe('The buyer may return leads'),
    max_age_days: z.number().nullable().describe('Days since the sale; null: any age'),
    max_share_pct: z.number().nullable().describe('Percent of a month; null: any share'),
    max_per_month: z.number().nullable().describe('Returns of a month; null: any number'),
    auto_accept_hours: z.number().nullable().describe('Accepted after so many; null: it waits'),
    reverse_cost: z.boolean().describe('The supplier gets nothing for a returned lead'),
    resell: z.boolean().describe('A returned lead is sold again'),
  })
  .nullable()
  .describe('Which leads the buyer may give back; null: nobody has said, and it may give back any');

const Author = z
  .object({
    kind: z.enum(['buyer', 'user', 'system']).describe('system: by itself, after its hours'),
    name: z.string().nullable().describe('Of the key; null: it has none'),
  })
  .describe('In whose name');

export const ReturnView = z.object({
  id: recordId('return'),
  lead_id: recordId('lead'),
  campaign_id: recordId('campaign'),
  buyer_id: recordId('buyer'),
  reason: ReturnReasonName.describe('Why the buyer does not want it'),
  note: z.string().nullable().describe('What was said with it'),
  state: ReturnStateName.describe('requested: not decided yet'),
  requested_at: Instant.describe('When it was asked for, UTC'),
  requested_by: Author,
  auto_accept_at: Instant.nullable().describe('When it is accepted by itself; null: it waits'),
  resolved_at: Instant.nullable().describe('When it was decided, UTC; null: not yet'),
  resolved_by: Author.nullable().describe('Who decided it; null: nobody yet'),
  resolution_note: z.string().nullable().describe('What was said with the decision'),
  done: z
    .boolean()
    .describe('Nothing is left to do; false: it is not decided, or the sale is being changed'),
  resale_lead_id: z.string().nullable().describe('The lead as which it is sold again'),
  resale_refused: z.string().nullable().describe('Why it was not sold again, in words'),
});
