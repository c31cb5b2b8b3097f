/** The terms that change requests concern: reads them, checks requested values, and changes them. */
import type { z } from 'zod';
import { updateBuyer, findBuyer } from '../account/buyers/buyers.js';
import { findCampaign } from '../account/campaigns/campaigns.js';
import { gathered } from '../account/settings/cappedTable.js';
import { agreeOnTerms, checkBuyerTerms } from '../account/links/buyerLinks.js';
import { updateSupplierLink } from '../account/links/supplierLinks.js';
import type { AccountContext } from '../account/context.js';
import type { BUYER_LINK } from '../account/settings/buyerLinkTerms.js';
import { findSupplier, updateSupplier } from '../account/suppliers/suppliers.js';
import { AppError } from '../lib/errors.js';
import { ASKED } from '../account/settings/partnerTerms.js';
import { holdsNow } from './rules/changedTerms.js';
import type { AskedTerms, ChangeRequestDoc } from './store/changeRequestDocs.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { PortalCollections } from './store/collections.js';
import type { Party } from './settings.js';

/** The account that a request is of follows from the request. */
export interface TermsDeps extends Omit<AccountContext, 'orgId'> {
  collections: AccountCollections & PortalCollections;
}

/** The requested terms, as a person writes them; of caps only those that change. Suppliers request a status only. */
export type AskedChange = z.input<z.ZodObject<typeof BUYER_LINK.inFile>>;

/** The terms that a request is about: of a link, or of the partner as a whole. */
export type TermsTarget = Party & { org_id: string; campaign_id: string | null };

/** The partner's terms as they are, and the version of the campaign that they are of; 0 without one. */
export async function readTerms(
  target: TermsTarget,
  { collections }: Pick<TermsDeps, 'collections'>,
): Promise<{ terms: AskedTerms; agreed_by?: string; version: number }> {
  const { side, org_id, party_id, campaign_id } = target;
  if (campaign_id === null) {
    const find = side === 'buyer' ? findBuyer : findSupplier;
    const { status } = await find({ collections, orgId: org_id }, party_id);
    return { terms: { status }, version: 0 };
  }
  const [campaign, link] = await Promise.all([
    findCampaign({ collections, orgId: org_id }, campaign_id),
    linkOf(target, campaign_id, collections),
  ]);
  if (!link) throw notLinked();
  return { ...link, version: campaign.plan_version };
}

async function linkOf(
  { side, org_id, party_id }: TermsTarget,
  campaign_id: string,
  { campaignBuyers, campaignSuppliers }: AccountCollections,
): Promise<{ terms: AskedTerms; agreed_by?: string } | null> {
  if (side === 'supplier') {
    const link = await campaignSuppliers.findOne({ org_id, campaign_id, supplier_id: party_id });
    return link && { terms: { status: link.status } };
  }
  const link = await campaignBuyers.findOne({ org_id, campaign_id, buyer_id: party_id });
  return link && { terms: pick(link, ASKED), agreed_by: link.agreed_by };
}

const pick = (record: object, names: readonly string[]): AskedTerms =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));

/**
 * The requested terms as they would be stored.
 * @throws {AppError} `validation_failed` naming what is not valid
 */
export async function checkAsked(
  { side, org_id, campaign_id }: TermsTarget,
  { caps, ...asked }: AskedChange,
  current: AskedTerms,
  { collections }: Pick<TermsDeps, 'collections'>,
): Promise<AskedTerms> {
  if (side === 'supplier' || campaign_id === null)
    return asked.status === undefined ? {} : { status: asked.status };
  const { fields } = await findCampaign({ collections, orgId: org_id }, campaign_id);
  return checkBuyerTerms(gathered({ ...asked, ...caps }, current.caps ?? {}), fields);
}

/**
 * Applies the requested terms in the name of the author. Safe to repeat.
 * @throws {AppError} `version_conflict` when one of them has changed since the request; and the refusals of the account
 * for terms that it no longer accepts
 */
export async function applyTerms(request: ChangeRequestDoc, deps: TermsDeps): Promise<void> {
  const { side, org_id, party_id, campaign_id, before, after } = request;
  const { terms, agreed_by } = await readTerms(request, deps);
  if (agreed_by === request._id || holdsNow(after, terms)) return;
  if (!holdsNow(before, terms)) throw movedOn();
  const { status } = after;
  const change = status === undefined ? {} : { status };
  const account = { ...deps, orgId: org_id };
  if (campaign_id === null) {
    if (side === 'buyer') await updateBuyer(account, party_id, change);
    else await updateSupplier(account, party_id, change);
  } else if (side === 'supplier') {
    const key = { campaign_id, supplier_id: party_id };
    await updateSupplierLink(account, key, change);
  } else {
    const seen = { ...before, ...pick(terms, Object.keys(before)) };
    const key = { campaign_id, buyer_id: party_id };
    await agreeOnTerms(account, key, { ...after, agreed_by: request._id }, seen);
  }
}

export const movedOn = (): AppError =>
  new AppError(
    'version_conflict',
    'The terms have changed since this request, which is out of date. A new request is needed.',
  );

const notLinked = (): AppError =>
  new AppError('not_found', 'There is no such campaign of this partner.');
