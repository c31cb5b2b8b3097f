/** The lists of a buyer as CSV, in batches: each is read after the client has taken the one before. */
import { z } from 'zod';
import { fieldOf } from '../../../fields/fields.js';
import { fromMicros } from '../../../fields/money.js';
import { revenueOf } from '../../../leads/rules/saleMoney.js';
import { findSales, type SoldToBuyer } from '../../../leads/store/salePages.js';
import { findPage, NEWEST_FIRST, type Wanted } from '../../../platform/mongo/pages.js';
import { PEOPLE } from '../../actions/exits.js';
import { definePartnerFile, type Cell, type PartnerContext } from '../call.js';
import { batchesOf, TestFlag } from '../csv.js';
import { SalesFilter } from '../schemas/buyer.js';
import { isShown } from '../shownFields.js';
import { campaignsOf, readShownRules } from './campaigns.js';
import { readSaleFilter } from './saleFilter.js';
import { returnView, saleStatus } from './saleViews.js';
import { tooMany } from './sales.js';

/** Maximum open requests of one buyer. */
const OPEN_MAX = 50_000;

const OWN_COLUMNS = [
  ...(['lead_id', 'campaign', 'received_at', 'sold_at', 'status', 'outcome'] as const),
  ...(['price', 'charged'] as const),
] as const;

export const leadsFile = definePartnerFile({
  name: 'leads.csv',
  permits: 'exports',
  letsOut: [PEOPLE],
  hides: ['search'],
  input: z.strictObject({
    ...SalesFilter,
    is_test: TestFlag,
  }),
  async rows(wanted, context) {
    const { leads } = context.collections;
    const filter = await readSaleFilter(wanted, context);
    const names = await fieldNames(context);
    const head = [...OWN_COLUMNS, ...names];
    if (!filter) return { head, batches: [] };
    const read = async (place: Wanted) =>
      (await findSales(leads, filter, place)) ?? tooMany(wanted);
    return { head, batches: batchesOf(read, await saleCells(names, context)) };
  },
});

/** A column for every shown field of the buyer's campaigns. */
async function fieldNames(context: PartnerContext): Promise<string[]> {
  const rules = await readShownRules(context);
  return [...new Set(rules.map(({ name }) => name))];
}

async function saleCells(
  names: readonly string[],
  context: PartnerContext,
): Promise<(sold: SoldToBuyer[]) => Promise<Cell[][]>> {
  const { collections, org_id, party_id, settings } = context;
  const requested = await collections.returns
    .find({ org_id, buyer_id: party_id, state: 'requested' }, { projection: { lead_id: 1 } })
    .sort({ created_at: -1, _id: -1 })
    .limit(OPEN_MAX)
    .toArray();
  const open = new Set(requested.map(({ lead_id }) => lead_id));
  return async (sold) => {
    const campaigns = await campaignsOf(sold, context);
    return sold.map((one) => [
      one._id,
      campaigns.get(one.campaign_id)?.name ?? '',
      one.created_at,
      one.sale.at,
      saleStatus(one, open),
      one.sale.outcome,
      fromMicros(one.sale.price),
      fromMicros(revenueOf(one.sale)),
      ...names.map((name) => (isShown(settings, name) ? fieldOf(one.fields, name) : null)),
    ]);
  };
}

const RETURN_COLUMNS = [
  ...(['id', 'lead_id', 'campaign', 'reason', 'note', 'state'] as const),
  ...(['requested_at', 'auto_accept_at', 'resolved_at', 'resolution_note'] as const),
] as const;

export const returnsFile = definePartnerFile({
  name: 'returns.csv',
  permits: 'exports',
  letsOut: [PEOPLE],
  input: z.strictObject({ state: z.enum(['requested', 'accepted', 'rejected']).optional() }),
  rows({ state }, context) {
    const { collections, org_id, party_id: buyer_id } = context;
    const filter = { org_id, buyer_id, state };
    const batches = batchesOf(
      (wanted) => findPage(collections.returns, filter, NEWEST_FIRST, wanted),
      async (found) => {
        const campaigns = await campaignsOf(found, context);
        return found.map((one) => {
          const { campaign, ...view } = returnView(one, campaigns);
          const cells = { ...view, campaign: campaign.name };
          return RETURN_COLUMNS.map((name) => cells[name]);
        });
      },
    );
    return Promise.resolve({ head: RETURN_COLUMNS, batches });
  },
});
