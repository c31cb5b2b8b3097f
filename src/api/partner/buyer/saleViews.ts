/** A sale as its buyer sees it: the shown fields of its lead, and nothing about other sales. */
import type { z } from 'zod';
import { fromMicros } from '../../../fields/money.js';
import { revenueOf } from '../../../leads/rules/saleMoney.js';
import type { SoldToBuyer } from '../../../leads/store/salePages.js';
import type { ReturnDoc } from '../../../outcomes/store/returnDocs.js';
import type { PartnerContext } from '../call.js';
import type { SaleReturn, SaleRow } from '../schemas/buyer.js';
import { listedFields, shownFields } from '../shownFields.js';
import { nameOf, type KnownCampaign } from './campaigns.js';

export type Campaigns = ReadonlyMap<string, KnownCampaign>;

/** Leads for which this buyer has an undecided return. */
export async function openReturns(
  sold: readonly SoldToBuyer[],
  { collections, org_id, party_id }: PartnerContext,
): Promise<Set<string>> {
  if (sold.length === 0) return new Set();
  // `lead:buyer:n`: the id serves.
  const ranges = sold.map(({ _id }) => ({
    _id: { $gt: `${_id}:${party_id}:`, $lt: `${_id}:${party_id};` },
  }));
  const found = await collections.returns
    .find({ $or: ranges, org_id, state: 'requested' }, { projection: { lead_id: 1 } })
    .toArray();
  return new Set(found.map(({ lead_id }) => lead_id));
}

export function saleStatus({ sale, _id }: SoldToBuyer, open: ReadonlySet<string>) {
  if (sale.returned) return 'returned' as const;
  return open.has(_id) ? ('return_requested' as const) : ('sold' as const);
}

export function saleRow(
  sold: SoldToBuyer,
  { settings }: Pick<PartnerContext, 'settings'>,
  { campaigns, open }: { campaigns: Campaigns; open: ReadonlySet<string> },
): z.input<typeof SaleRow> {
  const { sale, campaign_id } = sold;
  const rules = campaigns.get(campaign_id)?.fields ?? [];
  return {
    lead_id: sold._id,
    campaign: nameOf(campaigns, campaign_id),
    received_at: sold.created_at,
    sold_at: sale.at,
    is_test: sold.is_test,
    status: saleStatus(sold, open),
    outcome: sale.outcome,
    price: fromMicros(sale.price),
    charged: fromMicros(revenueOf(sale)),
    fields: listedFields(shownFields(settings, sold.fields, rules)),
    is_erased: Object.keys(sold.fields).length === 0,
  };
}

/** Without the person who decided it, and without the other effects of its acceptance. */
export const returnView = (one: ReturnDoc, campaigns: Campaigns): z.input<typeof SaleReturn> => ({
  ...one,
  id: one._id,
  campaign: nameOf(campaigns, one.campaign_id),
  requested_at: one.created_at,
});
