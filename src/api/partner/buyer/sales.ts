/** The sales of a buyer, and one of them. */
import { z } from 'zod';
import { attemptsOfLead } from '../../../deliveries/store/buyerAttempts.js';
import { DEFAULT_RETURNS } from '../../../account/buyers/returnsSchema.js';
import { findBuyer } from '../../../account/buyers/buyers.js';
import { fromMicros } from '../../../fields/money.js';
import { findSale, findSales, type SoldToBuyer } from '../../../leads/store/salePages.js';
import { pageOf } from '../../actions/paging.js';
import { PEOPLE } from '../../actions/exits.js';
import { definePagedPartnerCall, definePartnerCall, type PartnerContext } from '../call.js';
import { invalidField } from '../../actions/readInput.js';
import { notYours } from '../refusals.js';
import { PAGE_ROWS, orNull, Instant, Amount, Cursor, LeadId } from '../schemas/shared.js';
import { shownFields } from '../shownFields.js';
import { attemptView, readSentLeads } from './attemptViews.js';
import { campaignsOf } from './campaigns.js';
import { whyNotReturned } from './returns.js';
import { readSaleFilter, type WantedSales } from './saleFilter.js';
import { openReturns, returnView, saleRow } from './saleViews.js';
import { SaleRow, SaleReturn, SalesFilter, BuyerAttempt } from '../schemas/buyer.js';

const SaleDetail = SaleRow.extend({
  /** When the outcome was reported. */
  outcome_at: orNull(Instant),
  conversion_revenue: Amount.nullable(),
  lead_value: Amount.nullable(),
  note: orNull(z.string()),
  /** Newest first. */
  returns: z.array(SaleReturn),
  /** Why it cannot be returned now, in words; null: it can, while the month has returns left. */
  return_refusal: z.string().nullable(),
  /** The buyer's own deliveries of it, first one first. */
  attempts: z.array(BuyerAttempt),
});

export const listSales = definePagedPartnerCall({
  name: 'list_sales',
  effect: 'read',
  letsOut: [PEOPLE],
  hides: ['search'],
  input: z.strictObject({ ...SalesFilter, cursor: Cursor }),
  output: z.array(SaleRow),
  async run({ cursor, ...wanted }, context) {
    const filter = await readSaleFilter(wanted, context);
    if (!filter) return { data: [], next_cursor: null };
    const page = await pageOf(
      'list_sales',
      { limit: PAGE_ROWS, cursor },
      async (place) =>
        (await findSales(context.collections.leads, filter, place)) ?? tooMany(wanted),
    );
    return { ...page, data: await saleRows(page.data, context) };
  },
});

/** Rows of lists, with the data that is shown with their leads. */
async function saleRows(sold: readonly SoldToBuyer[], context: PartnerContext) {
  const [campaigns, open] = await Promise.all([
    campaignsOf(sold, context),
    openReturns(sold, context),
  ]);
  return sold.map((one) => saleRow(one, context, { campaigns, open }));
}

/** @throws {AppError} `invalid_input`: few sales match, among very many that do not */
export function tooMany({ search }: WantedSales): never {
  const path = search === undefined ? 'from' : 'search';
  throw invalidField(
    path,
    'out_of_range',
    'Too many leads would have to be read: ask for fewer days.',
  );
}

export const getSale = definePartnerCall({
  name: 'get_sale',
  effect: 'read',
  letsOut: [PEOPLE],
  input: z.strictObject({ lead_id: LeadId }),
  output: SaleDetail,
  async run({ lead_id }, context) {
    const { collections, org_id, party_id: buyer_id, settings, clock } = context;
    const sold = await findSale(collections.leads, { org_id, buyer_id, lead_id });
    if (!sold) throw notYours();
    const mine = { _id: { $gt: `${lead_id}:${buyer_id}:`, $lt: `${lead_id}:${buyer_id};` } };
    const [campaigns, returns, rows, leads, buyer] = await Promise.all([
      campaignsOf([sold], context),
      collections.returns
        .find({ ...mine, org_id })
        .sort({ created_at: -1 })
        .toArray(),
      attemptsOfLead(collections.deliveries, { org_id, buyer_id, lead_id }),
      readSentLeads([{ lead_id }], context),
      findBuyer(context, buyer_id),
    ]);
    const { sale } = sold;
    const open = new Set(returns.some(({ state }) => state === 'requested') ? [lead_id] : []);
    const rules = campaigns.get(sold.campaign_id)?.fields ?? [];
    const limits = buyer.returns ?? DEFAULT_RETURNS;
    return {
      ...saleRow(sold, context, { campaigns, open }),
      fields: shownFields(settings, sold.fields, rules),
      outcome_at: sale.outcome_at,
      conversion_revenue: moneyOf(sale.conversion_revenue),
      lead_value: moneyOf(sale.lead_value),
      note: sale.note,
      returns: returns.map((one) => returnView(one, campaigns)),
      return_refusal: settings.returns
        ? whyNotReturned({ limits, sale, returns, now: clock.now() })
        : 'Returns are not open here.',
      attempts: rows.map((row) => attemptView(row, leads.get(lead_id), context, campaigns)),
    };
  },
});

const moneyOf = (micros: number | undefined): number | null =>
  micros === undefined ? null : fromMicros(micros);
