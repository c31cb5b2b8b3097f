/** The names of the partners and campaigns in a list. */
import type { AccountCollections } from '../../account/store/collections.js';

interface Mentioned {
  side: 'buyer' | 'supplier';
  party_id: string;
  campaign_id?: string | null;
}

export interface Names {
  party(one: Mentioned): { kind: 'buyer' | 'supplier'; id: string; name?: string };
  campaign(one: Mentioned): { id: string; name?: string } | null;
}

/** Only records that the organization still has get names. */
export async function namesOf(
  { buyers, suppliers, campaigns }: Pick<AccountCollections, 'buyers' | 'suppliers' | 'campaigns'>,
  orgId: string,
  rows: readonly Mentioned[],
): Promise<Names> {
  const ids = (side: Mentioned['side']) =>
    rows.flatMap((row) => (row.side === side ? [row.party_id] : []));
  const ofCampaigns = rows.flatMap(({ campaign_id }) => campaign_id ?? []);
  const named = (some: readonly string[]) => ({ _id: { $in: [...some] }, org_id: orgId });
  const options = { projection: { name: 1 } };
  const [ofBuyers, ofSuppliers, ofOthers] = await Promise.all([
    buyers.find(named(ids('buyer')), options).toArray(),
    suppliers.find(named(ids('supplier')), options).toArray(),
    campaigns.find(named(ofCampaigns), options).toArray(),
  ]);
  const parties = new Map([...ofBuyers, ...ofSuppliers].map(({ _id, name }) => [_id, name]));
  const places = new Map(ofOthers.map(({ _id, name }) => [_id, name]));
  return {
    party: ({ side, party_id }) => ({ kind: side, id: party_id, name: parties.get(party_id) }),
    campaign: ({ campaign_id }) =>
      campaign_id == null ? null : { id: campaign_id, name: places.get(campaign_id) },
  };
}
