/** Trying how a buyer is sent leads, without sending. */
import { z } from 'zod';
import { createFieldTools } from '../../../account/access/fieldTools.js';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { loadCampaign } from '../../../account/campaigns/loadCampaign.js';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { notLinked } from '../../../account/links/storeLink.js';
import { compilePlan } from '../../../account/plans/compilePlan.js';
import type { BuyerTerms, Plan } from '../../../account/rules/plan.js';
import { findAnyCampaign } from '../../../account/store/linkedIds.js';
import { DeliveryPatch } from '../../../account/buyers/deliverySchema.js';
import type { DeliveredLead } from '../../../deliveries/rules/payload.js';
import { shownRequest } from '../../../deliveries/shownRequest.js';
import { compileField } from '../../../fields/fieldReader.js';
import { fieldOf } from '../../../fields/fields.js';
import { fromMicros } from '../../../fields/money.js';
import { drawPerson, sampleLead } from '../../../fields/sampleLead.js';
import { rulesOfBuyer, rulesToPass } from '../../../fields/sampleRules.js';
import { FieldScalar, type Fields } from '../../../fields/values.js';
import { AppError } from '../../../lib/errors.js';
import { timeOrderedId } from '../../../lib/ids.js';
import { planOfLead } from '../../../leads/rules/locks.js';
import { defineAction, type ActionContext } from '../action.js';
import { readingOf, withResponse } from '../answerReading.js';
import { PEOPLE, type Exit } from '../exits.js';
import { invalidField, refuseControlFields } from '../readInput.js';
import { id, Money, orNull, recordId } from '../schemas/common.js';
import { ShownRequest } from '../schemas/delivery.js';
import { findLead } from './leads.js';

const BODY_MAX = 100_000;

const Answer = z
  .strictObject({
    status: z.number().int().min(100).max(599).describe('The HTTP status'),
    headers: z
      .record(z.string().max(200), z.string().max(2_000))
      .default({})
      .describe('Its headers, such as retry-after'),
    body: z.string().max(BODY_MAX).default('').describe('As the buyer sent it'),
  })
  .optional()
  .meta({
    description: 'An answer of the buyer, to be read by its rules',
    examples: [{ status: 200, body: '{"status":"accepted","id":"A-1"}' }],
  });

const Input = z.strictObject({
  buyer_id: id('buyer'),
  campaign_id: id('campaign')
    .optional()
    .describe('On the terms of this campaign; absent: that of the lead, or any of its campaigns'),
  lead_id: id('lead').optional().describe('A past lead; absent: a sample is made up'),
  fields: z
    .record(z.string(), FieldScalar.nullable())
    .default({})
    .meta({ examples: [{ state: 'CA' }] })
    .describe('Values in place of those of the lead or the sample, by field name; null: without'),
  answer: Answer,
  response: DeliveryPatch.shape.response.describe(
    "Rules that read the answer instead of the buyer's own; they are not saved",
  ),
});

/** The request for a past lead shows its person. */
const OF_A_LEAD: Exit<{ lead_id?: string }> = {
  ...PEOPLE,
  when: 'lead_id is given',
  isFor: ({ lead_id }) => lead_id !== undefined,
};

export const testDelivery = defineAction({
  name: 'test_delivery',
  cli: ['deliveries', 'test'],
  summary: 'Show what a buyer would be sent, and read an answer',
  description:
    "Renders the request that delivers a lead to a buyer, without sending it: a sample, or a past lead, on the campaign's " +
    'present terms. Header values and signatures are hidden. With answer it also reads an answer of the buyer by the ' +
    "buyer's rules, or by those in response before they are saved, and says what would become of the lead and why. send_test_lead sends one.",
  permission: 'buyers:read',
  letsOut: [OF_A_LEAD],
  alsoNeeds: {
    permission: 'leads:read',
    when: 'lead_id is given',
    isFor: ({ lead_id }) => lead_id !== undefined,
  },
  input: Input,
  example: {
    buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
    answer: { status: 200, body: '{"status":"accepted"}' },
  },
  output: z.object({
    buyer_id: recordId('buyer'),
    campaign_id: recordId('campaign on whose terms it is'),
    price: Money.describe('The price of the lead to the buyer'),
    ...ShownRequest,
    reading: orNull(
      z.object({
        result: z.enum(['accepted', 'rejected', 'not_taken', 'unknown']).describe('Of the attempt'),
        by: z
          .enum(['accept_when', 'reject_when', 'not_accepted', 'status'])
          .describe(
            'What decided: a rule that holds; not_accepted: accept_when does not hold, so a 2xx refuses; status: no rule',
          ),
        reason: z
          .string()
          .describe("As the trail would have it: the buyer's own words, or the status"),
        reference: orNull(z.string()).describe("The buyer's reference for the lead; null: none"),
        price: orNull(Money).describe('The price that the answer names; null: that of the link'),
        notes: z.array(z.string()).describe('What could not be used, such as price_ignored'),
        retry_after_ms: orNull(z.number()).describe('How long the buyer asks to wait; null: not'),
        lead: z
          .enum(['sold', 'next_buyer', 'waits'])
          .describe(
            'The result for the lead: sold, offered to the next buyer, or kept for this one',
          ),
        message: z.string().describe('The same in words'),
      }),
    ).describe('What the answer means; null: none was given'),
  }),
  async run(input, context) {
    refuseControlFields(input.fields, 'action');
    const { buyer_id, answer } = input;
    const { lead, plan, terms } = await subjectOf(input, context);
    const now = context.clock.now();
    const fieldNames = plan.fields.map(({ name }) => name);
    return {
      buyer_id,
      campaign_id: plan.campaign_id,
      price: fromMicros(terms.price),
      ...shownRequest(lead, terms, { fieldNames, at: now }),
      reading: answer && readingOf(answer, withResponse(terms, input.response), now),
    };
  },
});

interface Subject {
  lead: DeliveredLead;
  plan: Plan;
  terms: BuyerTerms;
}

async function subjectOf(
  { buyer_id, campaign_id, lead_id, fields }: z.output<typeof Input>,
  context: ActionContext,
): Promise<Subject> {
  const { name } = await findBuyer(context, buyer_id);
  const past = lead_id === undefined ? null : await findLead(lead_id, context);
  const campaignId = campaign_id ?? past?.campaign_id ?? (await findAnyCampaign(context, buyer_id));
  if (campaignId === null) throw unlinked(name);
  await findCampaign(context, campaignId);
  const current = compilePlan(await loadCampaign(context.collections, campaignId), 0);
  const plan = past ? planOfLead(current, past) : current;
  const terms = plan.buyers.find((one) => one.buyer_id === buyer_id);
  if (!terms) throw notLinked({ kind: 'buyer', campaign_id: campaignId, partner_id: buyer_id });
  const lead = past ?? {
    _id: timeOrderedId(context.clock.now()),
    campaign_id: campaignId,
    fields: await sampleOf(plan, terms, context),
    extra: {},
    is_test: false,
    created_at: context.clock.now(),
  };
  return { lead: { ...lead, ...(await laidOver(lead, fields, plan)) }, plan, terms };
}

/** Made up so that the buyer would accept it, in the form in which leads are stored. */
async function sampleOf(plan: Plan, terms: BuyerTerms, { clock }: ActionContext): Promise<Fields> {
  const tools = await createFieldTools(plan.fields);
  const sample = sampleLead(plan.fields, {
    tools,
    n: drawPerson(clock),
    rules: [...rulesToPass(plan.filters), ...rulesOfBuyer(terms)],
    context: { now: clock.now(), timeZone: plan.time_zone },
  });
  const stored = plan.fields.flatMap((rule): [string, Fields[string]][] => {
    const reading = compileField(rule, tools)(fieldOf(sample.fields, rule.name));
    return reading.kind === 'value' ? [[rule.name, reading.value]] : [];
  });
  return Object.fromEntries(stored);
}

/** Given values are read by the rules of the campaign's fields; those of other names are delivered as extra. */
async function laidOver(
  { fields, extra }: Pick<DeliveredLead, 'fields' | 'extra'>,
  given: Record<string, z.output<typeof FieldScalar> | null>,
  plan: Plan,
): Promise<Pick<DeliveredLead, 'fields' | 'extra'>> {
  const tools = await createFieldTools(plan.fields);
  const laid = { fields: new Map(Object.entries(fields)), extra: new Map(Object.entries(extra)) };
  for (const [name, value] of Object.entries(given)) {
    const rule = plan.fields.find((one) => one.name === name);
    const to = rule ? laid.fields : laid.extra;
    if (value === null) {
      to.delete(name);
      continue;
    }
    const reading = rule ? compileField(rule, tools)(value) : { kind: 'value' as const, value };
    if (reading.kind === 'error')
      throw invalidField(`fields.${name}`, reading.code, `${reading.message}.`);
    if (reading.kind === 'value') to.set(name, reading.value);
  }
  return { fields: Object.fromEntries(laid.fields), extra: Object.fromEntries(laid.extra) };
}

const unlinked = (name: string): AppError =>
  new AppError(
    'action_refused',
    `${name} is a buyer of no campaign, so it is sent no leads. Link it with add_buyer_to_campaign.`,
  );
