/** Returns as the Actions API shows them. */
import type { z } from 'zod';
import { DEFAULT_RETURNS } from '../../account/buyers/returnsSchema.js';
import { fromMicros } from '../../fields/money.js';
import { costOf, revenueOf } from '../../leads/rules/saleMoney.js';
import type { ReturnDoc } from '../../outcomes/store/returnDocs.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import type { ActionContext } from './action.js';
import { nameOf } from './leadViews.js';
import { readRowNames } from './rowNames.js';
import type { ListedReturn } from './schemas/returns.js';

export const returnView = (one: ReturnDoc) => ({
  ...one,
  id: one._id,
  requested_at: one.created_at,
  done: one.state !== 'requested' && !one.owed,
});

const OF_LEADS = {
  'fields.first_name': 1,
  'fields.last_name': 1,
  supplier_id: 1,
  created_at: 1,
  sales: 1,
} as const;

/** Rows of a list: with the sale that each is about, and what accepting it does by the settings of its buyer. */
export async function returnRows(
  returns: readonly ReturnDoc[],
  context: Pick<ActionContext, 'collections' | 'orgId'>,
): Promise<z.input<typeof ListedReturn>[]> {
  const { collections, orgId } = context;
  const open = returns.filter(({ state }) => state === 'requested');
  const [leads, buyers] = await Promise.all([
    findByIds(
      collections.leads,
      returns.map(({ lead_id }) => lead_id),
      { projection: OF_LEADS },
    ),
    findByIds(
      collections.buyers,
      open.map(({ buyer_id }) => buyer_id),
      { projection: { returns: 1, org_id: 1 } },
    ),
  ]);
  const leadOf = ({ lead_id, org_id }: ReturnDoc) =>
    org_id === orgId ? leads.get(lead_id) : undefined;
  const rows = returns.map((one) => ({ one, lead: leadOf(one) }));
  const namesOf = await readRowNames(
    context,
    rows.map(({ one, lead }) => ({ ...one, supplier_id: lead?.supplier_id })),
  );
  return rows.map(({ one, lead }) => {
    const sale = lead?.sales.find(({ buyer_id }) => buyer_id === one.buyer_id);
    const settings = buyers.get(one.buyer_id)?.returns ?? DEFAULT_RETURNS;
    const { reverse_cost = false, resell = false } = one.state === 'requested' ? settings : one;
    return {
      ...returnView(one),
      ...namesOf({ ...one, supplier_id: lead?.supplier_id }),
      lead_name: lead && nameOf(lead.fields),
      supplier_id: lead?.supplier_id,
      lead_at: lead?.created_at,
      sold_at: sale?.at,
      price: sale && fromMicros(sale.price),
      revenue: sale && fromMicros(revenueOf(sale)),
      cost: sale && fromMicros(costOf(sale)),
      reverse_cost,
      resell,
    };
  });
}
