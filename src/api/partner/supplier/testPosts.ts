/**
 * A supplier tries its posts: a test lead, or a test ping, is processed as every other, and the answer has the reason.
 */
import { z } from 'zod';
import { supplierKeyPlace } from '../../../account/rules/sealedPlaces.js';
import { createFieldTools } from '../../../account/access/fieldTools.js';
import { pingOfLead } from '../../../account/campaigns/sample.js';
import { mergeFields } from '../../../account/plans/compilePlan.js';
import { findSupplier } from '../../../account/suppliers/suppliers.js';
import { drawPerson, sampleLead } from '../../../fields/sampleLead.js';
import { rulesToPass } from '../../../fields/sampleRules.js';
import type { Scalar } from '../../../fields/values.js';
import { sendTestLead } from '../../../ingest/testLead/sendTestLead.js';
import { AppError, type FieldError } from '../../../lib/errors.js';
import type { FilterFailure } from '../../../lib/filterFailure.js';
import { pingIdOf } from '../../../pings/pingId.js';
import { invalidField, refuseControlFields } from '../../actions/readInput.js';
import { LEADS } from '../../actions/exits.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { refusalOf, type PostAnswer } from './leadPost.js';
import { linkOf } from './links.js';
import { CampaignId } from '../schemas/shared.js';

const Scalar = z.union([z.string().max(10_000), z.number(), z.boolean()]);

/** Fields by name; null leaves a field out, and fields that are not named are made up. */
const TestFields = z.record(z.string().min(1).max(200), Scalar.nullable()).default({});

const TestAnswer = z.object({
  /** What was posted. */
  sent: z.record(z.string(), Scalar.nullable()),
  http_status: z.number().int(),
  /** The code of the refusal, or the status. */
  code: z.string(),
  /** The body of the HTTP answer. */
  answer: z.looseObject({}),
  /** The result and its reason, in sentences. */
  message: z.string(),
  /** Every field that was wrong. */
  faults: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
  /** Every rule of the campaign that it did not pass. */
  filters: z.array(z.object({ field: z.string(), message: z.string() })),
  /** The post in the log; null: it was not stored. */
  post_id: z.string().nullable(),
});

type Body = Record<string, Scalar | null>;

const TEST = { effect: 'write', hides: ['fields'], letsOut: [LEADS] } as const;

export const sendTestPost = definePartnerCall({
  name: 'send_test_post',
  ...TEST,
  input: z.strictObject({
    campaign_id: CampaignId,
    fields: TestFields,
    /** Of an earlier ping, in a ping-post campaign; absent: a test ping is sent first. */
    ping_id: z.string().max(4_000).optional(),
  }),
  output: TestAnswer.extend({
    /** The answer to the ping that was sent first; null: none was sent. */
    ping: z.looseObject({}).nullable(),
  }),
  async run({ campaign_id, fields, ping_id }, context) {
    const { lead, pinged, supplier } = await testOf(campaign_id, fields, context);
    const isPinged = ping_id !== undefined && pinged !== null;
    const sent = isPinged ? { ...lead, flo_ping_id: ping_id } : lead;
    const result = await sendTestLead(sent, isPinged ? null : pinged, supplier, context);
    const { http_status, answer, status, lead_id, ping } = result;
    const hint = status === 'UNMATCHED' || ping?.accepted === false ? ` ${IN_TEST_MODE}` : '';
    return {
      sent,
      ...answerView({ http_status, code: codeOf(answer, status), body: answer }),
      message: `${result.message}${hint}`,
      post_id: lead_id,
      ping: ping && { ...ping },
    };
  },
});

const IN_TEST_MODE = 'Tests go only to buyers in test mode: ask your contact whether one is.';

const codeOf = (answer: Record<string, unknown>, status: string | null): string => {
  if (status !== null && status !== 'REJECTED') return status;
  return typeof answer.error === 'string' ? answer.error : String(answer.reason);
};

export const sendTestPing = definePartnerCall({
  name: 'send_test_ping',
  ...TEST,
  input: z.strictObject({ campaign_id: CampaignId, fields: TestFields }),
  output: TestAnswer,
  async run({ campaign_id, fields }, context) {
    const { pinged: sent, supplier } = await testOf(campaign_id, fields, context);
    if (!sent) throw noPings();
    const key = context.keyring.open(supplier.api_key, supplierKeyPlace(supplier._id));
    const receivedAt = context.clock.monotonic();
    try {
      const { data } = await context.pings.submit({ key, body: sent, receivedAt });
      const code = data.accepted ? 'accepted' : data.reason;
      const answer = answerView({ http_status: 200, code, body: { ...data } });
      const hint = data.accepted ? '' : ` ${IN_TEST_MODE}`;
      const post_id = data.accepted ? pingIdOf(data.ping_id) : null;
      return { sent, ...answer, message: `${data.message}${hint}`, post_id };
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 500) throw error;
      return { sent, ...answerView(refusalOf(error)), message: error.message, post_id: null };
    }
  },
});

const noPings = (): AppError =>
  invalidField('campaign_id', 'not_allowed', 'This campaign takes leads directly, without a ping.');

/** For a refusal, every field and every rule that caused it. */
function answerView({ http_status, code, body }: PostAnswer) {
  const { field_errors = [], filter_errors = [] } = body as {
    field_errors?: FieldError[];
    filter_errors?: FilterFailure[];
  };
  return {
    http_status,
    code,
    answer: body,
    faults: field_errors.map(({ field, code: kind, message }) => ({ field, code: kind, message })),
    filters: filter_errors.map(({ field, message }) => ({ field, message })),
  };
}

/** Missing values are made up as in the posting guide: by the rules of the campaign, not those of a buyer. */
async function testOf(
  campaignId: string,
  given: Body,
  context: PartnerContext,
): Promise<{
  lead: Body;
  pinged: Body | null;
  supplier: Awaited<ReturnType<typeof findSupplier>>;
}> {
  refuseControlFields(given, 'console');
  const { clock, org, party_id } = context;
  const { campaign } = await linkOf(context, campaignId);
  const supplier = await findSupplier(context, party_id);
  const rules = mergeFields(campaign.fields);
  const made = sampleLead(rules, {
    tools: await createFieldTools(rules),
    n: drawPerson(clock),
    rules: rulesToPass(campaign.filters),
    context: { now: clock.now(), timeZone: org.time_zone },
  });
  const ids = { flo_campaign_id: campaignId, flo_supplier_id: party_id, test_lead: true };
  const lead = { ...made.fields, ...given, ...ids };
  const isPinged = campaign.routing_method === 'PING_POST';
  return { lead, pinged: isPinged ? pingOfLead(lead, rules) : null, supplier };
}
