/** Leads that buyers return. */
import { z } from 'zod';
import { setBuyerReturns } from '../../../account/buyers/buyerReturns.js';
import { ReturnsPatch } from '../../../account/buyers/returnsSchema.js';
import { findPage, NEWEST_FIRST } from '../../../platform/mongo/pages.js';
import { returnsOfLead } from '../../../outcomes/store/returns.js';
import { findLead } from './leads.js';
import { defineAction, defineList } from '../action.js';
import { LEADS, PEOPLE } from '../exits.js';
import { requireNamed } from '../leadFilter.js';
import { returnRows, returnView } from '../returnViews.js';
import { authorOf } from '../saleAuthor.js';
import { BuyerView } from '../schemas/buyer.js';
import { id } from '../schemas/common.js';
import { ListedReturn, ReturnReasonName, ReturnStateName, ReturnView } from '../schemas/returns.js';
import { buyerView } from './buyers.js';

const EXAMPLE_LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const EXAMPLE_RETURN = `${EXAMPLE_LEAD}:${EXAMPLE_BUYER}:1`;

/** A lead has few returns: they are read by their ids, and sorted. */
const BY_ID = { hint: { _id: 1 } } as const;

const note = z.string().max(2_000).nullable().default(null);

export const setBuyerReturnsAction = defineAction({
  name: 'set_buyer_returns',
  cli: ['buyers', 'set-returns'],
  summary: 'Set which leads a buyer may return',
  description:
    'Changes only the settings given; null resets a setting to its default. A month counts the leads received in it, ' +
    "in the account's time zone. The settings apply to new requests, and to the acceptance of earlier ones.",
  idempotent: true,
  permission: 'buyers:write',
  input: z.strictObject({ buyer_id: id('buyer'), ...ReturnsPatch.shape }),
  example: { buyer_id: EXAMPLE_BUYER, max_age_days: 14, max_share_pct: 10, resell: true },
  output: BuyerView,
  run: async ({ buyer_id, ...settings }, context) =>
    buyerView(await setBuyerReturns(context, buyer_id, settings), context),
});

export const requestReturnAction = defineAction({
  name: 'request_return',
  cli: ['returns', 'request'],
  summary: 'Request the return of a lead',
  description:
    'Requests the return of a lead for a buyer, within the limits of set_buyer_returns. The lead does not change ' +
    'until the return is accepted, by resolve_return or automatically. A repeated call returns the same request.',
  idempotent: true,
  permission: 'leads:write',
  input: z.strictObject({
    lead_id: id('lead'),
    buyer_id: id('buyer')
      .optional()
      .describe('The buyer that returns it; required when several buyers bought it'),
    reason: ReturnReasonName.describe('Why the buyer does not want it'),
    note: note.describe('A comment of the buyer, up to 2000 characters'),
  }),
  example: { lead_id: EXAMPLE_LEAD, reason: 'bad_contact_info', note: 'number is disconnected' },
  output: ReturnView,
  run: async (input, { returns, caller }) =>
    returnView(await returns.request({ ...input, org_id: caller.org_id, by: authorOf(caller) })),
});

export const resolveReturnAction = defineAction({
  name: 'resolve_return',
  cli: ['returns', 'resolve'],
  summary: 'Accept or reject a return',
  description:
    "With accept, the sale brings no revenue; depending on the buyer's settings, the supplier is not paid and the lead is " +
    'sold again. With reject, the sale stands, and the return no longer counts in its month. This cannot be undone.',
  effect: 'destroy',
  reachesOut: true,
  idempotent: true,
  permission: 'leads:write',
  letsOut: [LEADS],
  input: z.strictObject({
    return_id: z.string().min(1).max(300).describe('The id of the return'),
    result: z.enum(['accept', 'reject']),
    note: note.describe('The reason, up to 2000 characters'),
  }),
  example: { return_id: EXAMPLE_RETURN, result: 'accept' },
  output: ReturnView,
  run: async (input, { returns, caller }) =>
    returnView(await returns.resolve({ ...input, org_id: caller.org_id, by: authorOf(caller) })),
});

export const listReturns = defineList({
  name: 'list_returns',
  cli: ['returns', 'list'],
  summary: 'List returns',
  description: 'Returns that buyers requested, newest first, whether decided or not.',
  permission: 'leads:read',
  letsOut: [{ ...PEOPLE, parts: ['note', 'resolution_note', 'lead_name'] }],
  filters: {
    state: ReturnStateName.optional().describe('Only those with this status'),
    buyer_id: id('buyer').optional().describe('Only returns of this buyer'),
    campaign_id: id('campaign').optional().describe('Only returns of leads of this campaign'),
    lead_id: id('lead').optional().describe('Only returns of this lead'),
  },
  example: { state: 'requested' },
  output: z.array(ListedReturn),
  async find({ lead_id, ...filter }, context, wanted) {
    const { collections, orgId: org_id } = context;
    if (lead_id !== undefined) await findLead(lead_id, context);
    const where = { org_id, ...filter, ...(lead_id === undefined ? {} : returnsOfLead(lead_id)) };
    const page = { ...wanted, ...(lead_id === undefined ? {} : { options: BY_ID }) };
    const found = await findPage(collections.returns, where, NEWEST_FIRST, page);
    // An unknown name has no returns either.
    if (found.docs.length === 0 && wanted.after === null) {
      const { buyer_id, campaign_id } = filter;
      await requireNamed({ buyer_id, campaign_id, supplier_id: undefined }, context);
    }
    return found;
  },
  show: (returns, context) => returnRows(returns, context),
});
