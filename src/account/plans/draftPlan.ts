/** The plan that a change of a campaign would make. Nothing is written. */
import { findBuyer } from '../buyers/buyers.js';
import { checkCampaign, findCampaign, type CampaignInput } from '../campaigns/campaigns.js';
import { loadCampaign } from '../campaigns/loadCampaign.js';
import type { AccountContext } from '../context.js';
import { checkBuyerTerms, type BuyerLinkInput } from '../links/buyerLinks.js';
import { linkId, notLinked } from '../links/storeLink.js';
import type { SupplierLinkInput } from '../links/supplierLinks.js';
import type { Plan } from '../rules/plan.js';
import { BUYER_LINK } from '../settings/buyerLinkTerms.js';
import { gathered } from '../settings/cappedTable.js';
import { SUPPLIER_LINK } from '../settings/supplierLinkTerms.js';
import type { CampaignBuyerDoc, CampaignSupplierDoc } from '../store/accountDocs.js';
import { checkAt } from '../values.js';
import { compilePlan, type CampaignAccount } from './compilePlan.js';

export interface DraftChanges {
  campaign?: Partial<CampaignInput>;
  /** Terms of buyers; one that is not linked is linked on these terms. `remove`: without this buyer. */
  buyers?: readonly (Omit<BuyerLinkInput, 'delivery'> & { buyer_id: string; remove?: boolean })[];
  suppliers?: readonly (SupplierLinkInput & { supplier_id: string; remove?: boolean })[];
}

type Account = Pick<AccountContext, 'collections' | 'orgId'>;

/**
 * @throws {AppError} `not_found` for the campaign, a buyer, or a supplier that is not linked; `validation_failed` for a
 * bad value
 */
export async function draftPlan(
  account: Account,
  campaignId: string,
  { campaign: changes = {}, buyers = [], suppliers = [] }: DraftChanges,
): Promise<Plan> {
  const { plan_version } = await findCampaign(account, campaignId);
  const now = await loadCampaign(account.collections, campaignId);
  const campaign = { ...now.campaign, ...checkCampaign(changes, now.campaign) };
  let draft: CampaignAccount = { ...now, campaign };
  for (const [n, change] of buyers.entries())
    draft = await withBuyer(draft, change, account, `buyers.${n}`);
  for (const [n, change] of suppliers.entries())
    draft = checkAt(`suppliers.${n}`, () => withSupplier(draft, change));
  return compilePlan(draft, plan_version);
}

async function withBuyer(
  draft: CampaignAccount,
  { buyer_id, remove = false, ...terms }: NonNullable<DraftChanges['buyers']>[number],
  account: Account,
  at: string,
): Promise<CampaignAccount> {
  const others = draft.buyers.filter(({ buyer }) => buyer._id !== buyer_id);
  if (remove) return { ...draft, buyers: others };
  const current = draft.buyers.find(({ buyer }) => buyer._id === buyer_id);
  const buyer = current?.buyer ?? (await findBuyer(account, buyer_id));
  const { _id: campaign_id, org_id, fields } = draft.campaign;
  const before: CampaignBuyerDoc = current?.link ?? {
    _id: linkId(campaign_id, buyer_id),
    org_id,
    campaign_id,
    buyer_id,
    ...BUYER_LINK.defaults,
  };
  const read = checkAt(at, () => checkBuyerTerms(gathered(terms, before.caps), fields));
  const link = { ...before, ...read };
  return { ...draft, buyers: [...others, { link, buyer }] };
}

function withSupplier(
  draft: CampaignAccount,
  { supplier_id, remove = false, ...terms }: NonNullable<DraftChanges['suppliers']>[number],
): CampaignAccount {
  const current = draft.suppliers.find(({ supplier }) => supplier._id === supplier_id);
  const { _id: campaign_id } = draft.campaign;
  if (!current) throw notLinked({ kind: 'supplier', campaign_id, partner_id: supplier_id });
  const others = draft.suppliers.filter((one) => one !== current);
  if (remove) return { ...draft, suppliers: others };
  const read = SUPPLIER_LINK.read(gathered(terms, current.link.caps));
  const link: CampaignSupplierDoc = { ...current.link, ...read };
  return { ...draft, suppliers: [...others, { ...current, link }] };
}
