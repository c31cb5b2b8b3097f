/** A made-up lead, sent to this buyer alone as its leads are: it is not stored, sold or counted. */
import { z } from 'zod';
import { createFieldTools } from '../../../account/access/fieldTools.js';
import type { Plan } from '../../../account/rules/plan.js';
import { deliver } from '../../../deliveries/channels/channels.js';
import type { ChannelReply } from '../../../deliveries/channels/channel.js';
import type { DeliveryVerdict } from '../../../deliveries/rules/delivery.js';
import { compileField } from '../../../fields/fieldReader.js';
import { drawPerson, sampleLead } from '../../../fields/sampleLead.js';
import { rulesOfBuyer, rulesToPass } from '../../../fields/sampleRules.js';
import { type Fields, FieldScalar } from '../../../fields/values.js';
import { AppError } from '../../../lib/errors.js';
import { timeOrderedId } from '../../../lib/ids.js';
import { useWindow } from '../../../platform/rateLimits/store/windows.js';
import { LEADS } from '../../actions/exits.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { maskValues } from '../maskValues.js';
import { invalidField } from '../../actions/readInput.js';
import { notYours } from '../refusals.js';
import { hiddenValues, isShown, shownRules } from '../shownFields.js';
import { requireLink } from './campaigns.js';
import { CampaignId, orNull } from '../schemas/shared.js';

const SHOWN_MAX = 500;
/** Maximum test leads of one buyer per minute. */
const PER_MINUTE = 10;

export const sendTestLead = definePartnerCall({
  name: 'send_test_lead',
  effect: 'write',
  letsOut: [LEADS],
  input: z.strictObject({
    campaign_id: CampaignId,
    /** Shown fields by name, in place of made-up values. */
    fields: z.record(z.string().min(1).max(200), FieldScalar).default({}),
  }),
  output: z.object({
    lead_id: z.string(),
    result: z.enum(['accepted', 'rejected', 'failed', 'unanswered']),
    http_status: orNull(z.number().int()),
    latency_ms: z.number(),
    reason: z.string().nullable(),
    /** The result and its reason, in a sentence. */
    message: z.string(),
    /** The beginning of the answer. */
    answer: orNull(z.string()),
    sent: z.array(z.object({ name: z.string(), value: FieldScalar.nullable() })),
  }),
  async run({ campaign_id, fields: given }, context) {
    const { settings, org_id, party_id, channels } = context;
    await requireLink(campaign_id, context);
    const plan = await planOf(campaign_id, context);
    const terms = plan.buyers.find(({ buyer_id }) => buyer_id === party_id);
    if (!terms) throw notYours();
    const fields = await fieldsOf(plan, given, context);
    await requireRoom(context);
    const lead = {
      _id: timeOrderedId(context.clock.now()),
      campaign_id,
      fields,
      extra: {},
      is_test: true,
      created_at: context.clock.now(),
    };
    const begun = performance.now();
    const reply = await deliver(
      {
        org_id,
        lead,
        terms,
        fieldNames: plan.fields.map(({ name }) => name),
        sendBy: begun + terms.delivery.timeout_ms,
      },
      channels,
    );
    const hidden = hiddenValues(settings, fields);
    return {
      lead_id: lead._id,
      latency_ms: Math.round(performance.now() - begun),
      ...resultOf(reply, (text) => maskValues(text, hidden)),
      sent: Object.entries(fields)
        .filter(([name]) => isShown(settings, name))
        .map(([name, value]) => ({ name, value })),
    };
  },
});

async function planOf(campaignId: string, { accountCache, org_id }: PartnerContext): Promise<Plan> {
  await accountCache.refresh([org_id]);
  const current = await accountCache.plan(org_id, campaignId);
  if (current) return current.plan;
  throw notYours();
}

/** Made up so that the buyer would accept it, with the given values in place. */
async function fieldsOf(
  plan: Plan,
  given: Fields,
  { settings, clock, party_id }: PartnerContext,
): Promise<Fields> {
  const known = shownRules(settings, plan.fields);
  const tools = await createFieldTools(plan.fields);
  const chosen: Fields = {};
  for (const [name, value] of Object.entries(given)) {
    const rule = known.find((one) => one.name === name);
    const path = `fields.${name.slice(0, 64)}`;
    if (!rule) throw invalidField(path, 'not_allowed', `${path} is no field of this campaign.`);
    const reading = compileField(rule, tools)(value);
    if (reading.kind !== 'value')
      throw invalidField(path, 'invalid_format', `${path} is not a value of this field.`);
    chosen[name] = reading.value;
  }
  const terms = plan.buyers.filter(({ buyer_id }) => buyer_id === party_id);
  const sample = sampleLead(plan.fields, {
    tools,
    n: drawPerson(clock),
    rules: [...rulesToPass(plan.filters), ...terms.flatMap(rulesOfBuyer)],
    context: { now: clock.now(), timeZone: plan.time_zone },
  });
  return { ...sample.fields, ...chosen };
}

/** @throws {AppError} `rate_limited`: each test lead is a request to the buyer's server */
async function requireRoom({ collections, party_id }: PartnerContext): Promise<void> {
  const limits = { all: PER_MINUTE, writes: PER_MINUTE, windowMs: 60_000 };
  const use = await useWindow(collections.windows, `portal_test:${party_id}`, limits, false);
  if (use.allowed) return;
  const retry_after = Math.max(1, Math.ceil(use.resetMs / 1_000));
  const message = `At most ${PER_MINUTE} test leads can be sent in a minute. Try again in ${retry_after} s.`;
  throw new AppError('rate_limited', message, { retry_after });
}

type Result = 'accepted' | 'rejected' | 'failed' | 'unanswered';

const RESULTS: Record<DeliveryVerdict['result'], [result: Result, message: string]> = {
  accepted: ['accepted', 'Your system accepted the lead.'],
  rejected: ['rejected', 'Your system refused the lead.'],
  not_taken: ['failed', 'The lead did not reach your system, or it could not take it now.'],
  unknown: ['unanswered', 'Your system did not answer in time; it may have the lead.'],
};

function resultOf({ verdict, answer }: ChannelReply, mask: (text: string) => string) {
  const [result, message] = RESULTS[verdict.result];
  return {
    result,
    http_status: verdict.http_status,
    reason: mask(verdict.reason),
    message,
    answer: answer && mask(answer.slice(0, SHOWN_MAX)),
  };
}
