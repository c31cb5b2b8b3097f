/** Leads that a buyer returns: requests, lists, and how many it may return. */
import { z } from 'zod';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { DEFAULT_RETURNS, type ReturnSettings } from '../../../account/buyers/returnsSchema.js';
import { windowKeys } from '../../../fields/windowKeys.js';
import { findSale } from '../../../leads/store/salePages.js';
import { AppError } from '../../../lib/errors.js';
import {
  computeReturnQuota,
  findReturnRefusal,
  RETURN_REASONS,
} from '../../../outcomes/rules/returnRules.js';
import { findPage, NEWEST_FIRST } from '../../../platform/mongo/pages.js';
import { readLeadDays, totalOf } from '../../../reports/leadDays.js';
import { pageOf } from '../../actions/paging.js';
import { PEOPLE } from '../../actions/exits.js';
import { definePagedPartnerCall, definePartnerCall, type PartnerContext } from '../call.js';
import { invalidField } from '../../actions/readInput.js';
import { notYours } from '../refusals.js';
import { PAGE_ROWS, Cursor, LeadId, NoInput, orNull } from '../schemas/shared.js';
import { campaignsOf } from './campaigns.js';
import { authorOf } from './outcomes.js';
import { returnView } from './saleViews.js';
import type { Sale } from '../../../leads/rules/lead.js';
import type { ReturnDoc } from '../../../outcomes/store/returnDocs.js';
import { SaleReturn, Note } from '../schemas/buyer.js';

export const listReturns = definePagedPartnerCall({
  name: 'list_returns',
  effect: 'read',
  letsOut: [PEOPLE],
  input: z.strictObject({
    state: z.enum(['requested', 'accepted', 'rejected']).optional(),
    cursor: Cursor,
  }),
  output: z.array(SaleReturn),
  async run({ state, cursor }, context) {
    const { collections, org_id, party_id: buyer_id } = context;
    const filter = { org_id, buyer_id, state };
    const page = await pageOf('list_returns', { limit: PAGE_ROWS, cursor }, (wanted) =>
      findPage(collections.returns, filter, NEWEST_FIRST, wanted),
    );
    const campaigns = await campaignsOf(page.data, context);
    return { ...page, data: page.data.map((one) => returnView(one, campaigns)) };
  },
});

export const requestReturn = definePartnerCall({
  name: 'request_return',
  effect: 'write',
  permits: 'returns',
  hides: ['note'],
  input: z.strictObject({
    lead_id: LeadId,
    reason: z.enum(RETURN_REASONS),
    note: Note.nullable().default(null),
  }),
  output: SaleReturn,
  async run({ lead_id, reason, note }, context) {
    const { collections, org_id, party_id: buyer_id } = context;
    const sold = await findSale(collections.leads, { org_id, buyer_id, lead_id });
    if (!sold) throw notYours();
    const text = note === '' ? null : note;
    const request = { org_id, lead_id, buyer_id, reason, note: text, by: authorOf(context) };
    const made = await context.returns
      .request(request)
      .catch((error: unknown) => refusedInOwnWords(error, lead_id, context));
    return returnView(made, await campaignsOf([sold], context));
  },
});

/** Replaces the account's message, which is for operators and names their actions. */
async function refusedInOwnWords(
  error: unknown,
  lead_id: string,
  context: PartnerContext,
): Promise<never> {
  if (!(error instanceof AppError) || error.code !== 'action_refused') throw error;
  const { collections, org_id, party_id: buyer_id, clock } = context;
  const mine = { _id: { $gt: `${lead_id}:${buyer_id}:`, $lt: `${lead_id}:${buyer_id};` } };
  const [sold, returns, buyer] = await Promise.all([
    findSale(collections.leads, { org_id, buyer_id, lead_id }),
    collections.returns.find({ ...mine, org_id }).toArray(),
    findBuyer(context, buyer_id),
  ]);
  const limits = buyer.returns ?? DEFAULT_RETURNS;
  const why = sold && whyNotReturned({ limits, sale: sold.sale, returns, now: clock.now() });
  throw invalidField('lead_id', 'not_allowed', why ?? FULL);
}

const FULL =
  'You have returned as many of the leads of its month as your terms allow; get_return_allowance has the numbers.';

export const getReturnAllowance = definePartnerCall({
  name: 'get_return_allowance',
  effect: 'read',
  input: NoInput,
  output: z.object({
    allowed: z.boolean(),
    /** Days since the sale; null: any age. */
    max_age_days: z.number().nullable(),
    auto_accept_hours: z.number().nullable(),
    /** This month and the one before, by when the leads came in. */
    months: z.array(
      z.object({
        /** 2026-11 */
        month: z.string(),
        bought: z.number().int(),
        returned: z.number().int(),
        /** Null: any number. */
        most: orNull(z.number().int()),
        left: z.number().int().nullable(),
        limited_by: orNull(z.enum(['max_per_month', 'max_share_pct'])),
      }),
    ),
  }),
  async run(_input, context) {
    const { collections, org_id, party_id: buyer_id, clock, org, settings } = context;
    const buyer = await findBuyer(context, buyer_id);
    const limits = buyer.returns ?? DEFAULT_RETURNS;
    const { day, month } = windowKeys(clock.now(), org.time_zone);
    const months = lastMonths(month);
    const from = `${months.at(-1) ?? month}-01`;
    const days = await readLeadDays(context, { orgId: org_id, buyer_id, from, to: day });
    const ofMonth = Map.groupBy(days, (one) => one.day.slice(0, 7));
    return {
      allowed: limits.allowed && settings.returns,
      max_age_days: limits.max_age_days,
      auto_accept_hours: limits.auto_accept_hours,
      months: await Promise.all(
        months.map(async (month) => {
          const bought = totalOf(ofMonth.get(month) ?? []).sales;
          const count = await collections.returnCounts.findOne({ _id: `${buyer_id}:${month}` });
          const room = computeReturnQuota(limits, bought);
          const returned = count?.count ?? 0;
          return {
            month,
            bought,
            returned,
            most: room?.most,
            left: room ? Math.max(0, room.most - returned) : null,
            limited_by: room?.by,
          };
        }),
      ),
    };
  },
});

/** This month and the one before. */
function lastMonths(month: string): string[] {
  const before = new Date(`${month}-01T00:00:00Z`);
  before.setUTCMonth(before.getUTCMonth() - 1);
  return [month, before.toISOString().slice(0, 7)];
}

interface Returnable {
  limits: ReturnSettings;
  sale: Pick<Sale, 'at' | 'returned'>;
  /** Those of this sale. */
  returns: readonly Pick<ReturnDoc, 'state'>[];
  now: Date;
}

/** Why a buyer cannot return a sale, in words for the buyer; null: only the remaining returns of its month can prevent it. */
export function whyNotReturned({ limits, sale, returns, now }: Returnable): string | null {
  if (sale.returned) return 'It was returned already.';
  if (returns.some(({ state }) => state === 'requested')) return 'Its return is requested already.';
  if (findReturnRefusal(limits, sale, now) === null) return null;
  if (!limits.allowed) return 'Your terms do not allow returns.';
  return `It can be returned for ${String(limits.max_age_days)} days after the sale, which have passed.`;
}
