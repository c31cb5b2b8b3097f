/** The outcome of a lead, reported for its buyer. */
import { z } from 'zod';
import { NOTE_MAX, KEY_MAX } from '../../../outcomes/rules/outcomeBody.js';
import { BUYER_OUTCOMES } from '../../../leads/rules/saleChange.js';
import { AppError } from '../../../lib/errors.js';
import { askHash, changeId } from '../../../outcomes/changeId.js';
import { buyersHoldingLead } from '../../../outcomes/postbacks/match.js';
import { outcomeData, OutcomeView } from '../../../outcomes/schemas/outcome.js';
import { createBuyerLeads } from '../../../leads/store/buyerLeads.js';
import { createDeliveryStore } from '../../../deliveries/store/deliveries.js';
import { defineAction, type ActionContext } from '../action.js';
import { Clear, readReport } from '../outcomeReport.js';
import { invalidField } from '../readInput.js';
import { id, Money } from '../schemas/common.js';

const EXAMPLE_ID = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const amount = (what: string) => Money.min(0).max(1_000_000_000).optional().describe(what);

const Input = z.strictObject({
  lead_id: id('lead'),
  buyer_id: id('buyer')
    .optional()
    .describe('The buyer of the sale; required when several buyers have the lead'),
  outcome: z
    .enum(BUYER_OUTCOMES)
    .optional()
    .describe('Becomes the status of the lead; if absent, only the rest is recorded'),
  conversion_revenue: amount('Revenue of the conversion; it counts while the lead is converted'),
  lead_value: amount("The buyer's own deal value, for reports; it changes no revenue"),
  note: z.string().max(NOTE_MAX).optional().describe('Why'),
  clear: Clear,
  idempotency_key: z
    .string()
    .min(1)
    .max(KEY_MAX)
    .optional()
    .describe('Identifies this call: a repeated call returns the first answer and changes nothing'),
});

export const recordOutcome = defineAction({
  name: 'record_outcome',
  cli: ['leads', 'record-outcome'],
  summary: 'Record the outcome of a sold lead',
  description:
    "Works like a postback of the buyer: an outcome, the conversion revenue, the buyer's deal value, a note. At " +
    'least one of them is required, or clear, which takes back what was reported. A converted lead brings conversion_revenue, or the conversion price of the link; ' +
    'any other outcome restores the price of the sale.',
  permission: 'leads:write',
  input: Input,
  example: { lead_id: EXAMPLE_ID, outcome: 'converted', conversion_revenue: 120 },
  output: OutcomeView,
  async run(input, context) {
    const report = readReport(input);
    const { campaign_id, buyer_id } = await saleOf(input, context);
    const { org_id, actor } = context.caller;
    const key = input.idempotency_key;
    const made = await context.outcomes
      .make({
        ...(key === undefined ? {} : { id: changeId(buyer_id, 'operator', key) }),
        body_hash: askHash({ report, meant: { lead_id: input.lead_id } }),
        org_id,
        campaign_id,
        lead_id: input.lead_id,
        buyer_id,
        by: { kind: 'user', id: actor.id, name: actor.name },
        ask: { kind: 'outcome', ...report },
      })
      .catch(refused);
    return outcomeData(made);
  },
});

/** The sale to the named buyer, or to the only buyer that holds the lead. */
async function saleOf(
  { lead_id, buyer_id }: Pick<z.output<typeof Input>, 'lead_id' | 'buyer_id'>,
  { collections, caller }: ActionContext,
): Promise<{ campaign_id: string; buyer_id: string }> {
  const lead = await createBuyerLeads(collections.leads).byId(caller.org_id, lead_id);
  if (!lead) throw new AppError('not_found', `There is no lead ${lead_id}.`);
  const having = await buyersHoldingLead([lead], createDeliveryStore(collections.deliveries));
  const buyers = [...(having.get(lead_id) ?? [])];
  const { campaign_id } = lead;
  if (buyer_id !== undefined) {
    if (buyers.includes(buyer_id)) return { campaign_id, buyer_id };
    throw new AppError('not_found', `Buyer ${buyer_id} does not have lead ${lead_id}.`);
  }
  const [only] = buyers;
  if (only === undefined)
    throw new AppError(
      'action_refused',
      `No buyer has lead ${lead_id}: it cannot have an outcome.`,
    );
  if (buyers.length === 1) return { campaign_id, buyer_id: only };
  const message = `buyer_id is required: the buyers ${buyers.join(', ')} have this lead.`;
  throw invalidField('buyer_id', 'required', message);
}

/** In the words of the Actions API (contract 9.3). */
function refused(error: unknown): never {
  if (error instanceof AppError && error.code === 'conflict')
    throw new AppError('action_refused', error.message);
  throw error;
}
