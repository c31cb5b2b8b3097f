/** Trying a campaign with a lead that costs nothing. */
import { linkId } from '../../../account/links/storeLink.js';
import { z } from 'zod';
import { FieldScalar } from '../../../fields/values.js';
import { findSupplier } from '../../../account/suppliers/suppliers.js';
import { drawPerson } from '../../../fields/sampleLead.js';
import { AppError } from '../../../lib/errors.js';
import { sampleFor } from '../../../account/campaigns/sample.js';
import { whatIsAway } from '../../calls/away.js';
import { sendTestLead } from '../../../ingest/testLead/sendTestLead.js';
import { defineAction, type ActionContext } from '../action.js';
import { LEADS } from '../exits.js';
import { refuseControlFields } from '../readInput.js';
import { id, recordId } from '../schemas/common.js';
import { TrailView } from '../schemas/lead.js';
import { trailStep } from '../leadViews.js';

const Input = z.strictObject({
  campaign_id: id('campaign'),
  supplier_id: id('supplier').optional(),
  fields: z
    .record(z.string(), FieldScalar.nullable())
    .default({})
    .describe(
      'Values of the lead, by field name; null omits a field. Other fields get generated valid values',
    ),
});

export const sendTestLeadAction = defineAction({
  name: 'send_test_lead',
  cli: ['leads', 'send-test'],
  summary: 'Send a test lead',
  description:
    "Sends a lead marked as a test, as a supplier would, through every step, and returns the supplier's answer. It " +
    'goes only to buyers in test mode, costs nothing, counts toward no cap and is never a duplicate. For a ' +
    'ping-post campaign a test ping is sent first, and the lead is posted with it. Without supplier_id it is sent ' +
    'for the first active linked supplier.',
  reachesOut: true,
  permission: 'leads:write',
  letsOut: [LEADS],
  input: Input,
  example: { campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11', fields: { state: 'CA' } },
  output: z.object({
    lead_id: z.string().nullable().describe('null: no lead was created'),
    status: z
      .enum(['ACCEPTED', 'UNMATCHED', 'DUPLICATE', 'REJECTED'])
      .nullable()
      .describe('null: no lead was created'),
    message: z.string().describe('The result in words'),
    http_status: z.number().int().describe("The HTTP status of the supplier's answer"),
    answer: z.looseObject({}).describe("The body of the supplier's answer"),
    sent: z.record(z.string(), FieldScalar.nullable()).describe('The lead as it was sent'),
    supplier_id: recordId('supplier it was sent for'),
    ping: z
      .looseObject({})
      .nullable()
      .describe('The answer to its ping; null: it was posted without a ping'),
    trail: TrailView.nullable().describe('How it was decided'),
  }),
  async run(input, context) {
    refuseControlFields(input.fields, 'action');
    const { collections, caller, clock } = context;
    const found = await sampleFor(input.campaign_id, caller.org_id, context);
    const supplier = await senderOf(input, context);
    const made = await found.lead(drawPerson(clock));
    const sent = {
      ...made.fields,
      ...input.fields,
      flo_campaign_id: found.campaignId,
      flo_supplier_id: supplier._id,
      test_lead: true,
    };
    const result = await sendTestLead(sent, found.pingOf(sent), supplier, context);
    const lead =
      result.lead_id === null
        ? null
        : await collections.leads.findOne({ _id: result.lead_id, org_id: caller.org_id });
    // The answer asks its supplier to send it again; the operator learns what is away.
    const away = result.http_status >= 500 ? await whatIsAway(context) : null;
    const said = [result.message, away, found.hint(result)];
    return {
      ...result,
      message: said.filter((text) => text != null).join(' '),
      sent,
      supplier_id: supplier._id,
      trail: lead ? lead.trail.map(trailStep) : null,
    };
  },
});

/** The named supplier, or the first that is linked: an active one, if there is any. */
async function senderOf(
  { campaign_id, supplier_id }: z.output<typeof Input>,
  { collections, caller }: ActionContext,
) {
  const { campaignSuppliers, suppliers } = collections;
  const { org_id } = caller;
  if (supplier_id !== undefined) {
    const supplier = await findSupplier({ collections, orgId: org_id }, supplier_id);
    const _id = linkId(campaign_id, supplier_id);
    if (await campaignSuppliers.findOne({ _id, org_id })) return supplier;
    throw notLinked(`Supplier ${supplier.name} is not linked to this campaign.`);
  }
  const links = await campaignSuppliers.find({ campaign_id, org_id }).toArray();
  const linked = await suppliers
    .find({ _id: { $in: links.map((link) => link.supplier_id) }, org_id })
    .toArray();
  const paused = new Set(links.filter((one) => one.status === 'paused').map((one) => one._id));
  const isPaused = (one: (typeof linked)[number]): boolean =>
    one.status === 'paused' || paused.has(linkId(campaign_id, one._id));
  const [first] = linked.toSorted(
    (a, b) =>
      Number(isPaused(a)) - Number(isPaused(b)) || Number(a.created_at) - Number(b.created_at),
  );
  if (first) return first;
  throw notLinked('No supplier is linked to this campaign, and a lead needs a supplier.');
}

const notLinked = (text: string): AppError =>
  new AppError('action_refused', `${text} Link one with add_supplier_to_campaign.`);
