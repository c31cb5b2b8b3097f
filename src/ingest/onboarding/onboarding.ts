/** Reads the facts that decide the steps of setting up a campaign. */
import type { CampaignSupplierDoc } from '../../account/store/accountDocs.js';
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { CampaignFacts } from './onboardingSteps.js';

const SOLD_TEST = { is_test: true, status: 'ACCEPTED' } as const;
const ID = { projection: { _id: 1 } } as const;

/**
 * The facts of some campaigns of one organization: eight queries, and one for each campaign.
 * @param campaigns a page of them
 */
export async function campaignFacts(
  collections: AccountCollections & Pick<LeadCollections, 'leads'>,
  orgId: string,
  campaigns: readonly CampaignDoc[],
): Promise<CampaignFacts[]> {
  const ids = campaigns.map(({ _id }) => _id);
  const named = { projection: { name: 1 } } as const;
  const [buyerLinks, supplierLinks, tested, anyBuyer, anySupplier] = await Promise.all([
    collections.campaignBuyers
      .find(
        { campaign_id: { $in: ids } },
        { projection: { campaign_id: 1, buyer_id: 1, status: 1, price: 1 } },
      )
      .toArray(),
    collections.campaignSuppliers
      .find({ campaign_id: { $in: ids } }, { projection: { caps: 0 } })
      .toArray(),
    Promise.all(ids.map((id) => collections.leads.findOne({ campaign_id: id, ...SOLD_TEST }, ID))),
    collections.buyers.findOne({ org_id: orgId }, named),
    collections.suppliers.findOne({ org_id: orgId }, named),
  ]);
  const supplierIds = [...new Set(supplierLinks.map((link) => link.supplier_id))];
  const [buyers, suppliers, keys] = await Promise.all([
    collections.buyers
      .find(
        { _id: { $in: [...new Set(buyerLinks.map((link) => link.buyer_id))] } },
        { projection: { name: 1, status: 1, test_mode: 1, delivery_unset: 1, 'ping.enabled': 1 } },
      )
      .toArray(),
    collections.suppliers
      .find({ _id: { $in: supplierIds } }, { projection: { name: 1, status: 1, test_mode: 1 } })
      .toArray(),
    collections.apiKeys
      .find({
        org_id: orgId,
        kind: 'supplier',
        supplier_id: { $in: supplierIds },
        revoked_at: { $exists: false },
      })
      .toArray(),
  ]);
  const buyerById = new Map(buyers.map((buyer) => [buyer._id, buyer]));
  const supplierById = new Map(suppliers.map((supplier) => [supplier._id, supplier]));
  const keyed = new Set(keys.flatMap((key) => (key.kind === 'supplier' ? [key.supplier_id] : [])));
  return campaigns.map((campaign, n) => ({
    campaign: { ...campaign, fields: campaign.fields.length },
    buyers: buyerLinks.flatMap((link) => {
      const buyer = buyerById.get(link.buyer_id);
      if (!buyer || link.campaign_id !== campaign._id) return [];
      const active = link.status === 'active' && buyer.status === 'active';
      const { _id: id, name, test_mode, delivery_unset } = buyer;
      const is_asked = buyer.ping?.enabled === true;
      const delivery_set = !delivery_unset || link.delivery?.method !== undefined;
      const set = { delivery_set, price: link.price, is_asked };
      return [{ id, name, active, test_mode, ...set }];
    }),
    suppliers: supplierLinks.flatMap((link) => {
      const supplier = supplierById.get(link.supplier_id);
      if (!supplier || link.campaign_id !== campaign._id) return [];
      const active = link.status === 'active' && supplier.status === 'active';
      const { _id: id, name, test_mode } = supplier;
      return [{ id, name, active, test_mode, has_key: keyed.has(id), cost_set: isCostSet(link) }];
    }),
    tested: Boolean(tested[n]),
    anyBuyer,
    anySupplier,
  }));
}

const isCostSet = ({ cost_mode, cost_per_lead, revenue_share }: CampaignSupplierDoc): boolean =>
  cost_mode === 'NONE' || (cost_mode === 'FIXED' ? cost_per_lead : revenue_share) > 0;
