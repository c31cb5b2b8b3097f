/** Terms of several links of one campaign, changed together: one version has all of them, or none. */
import type { AnyBulkWriteOperation, ClientSession, Collection } from 'mongodb';
import { AppError, invalidFields, type FieldError } from '../../lib/errors.js';
import { isVersionConflict, retryOnConflict } from '../../lib/retry.js';
import { runTransaction } from '../../platform/mongo/transaction.js';
import { changedFrom, findCampaign } from '../campaigns/campaigns.js';
import { loadCampaign } from '../campaigns/loadCampaign.js';
import type { AccountContext } from '../context.js';
import type { CampaignAccount } from '../plans/compilePlan.js';
import { requireChangeFits } from '../plans/planSize.js';
import { publishCampaign } from '../plans/publish.js';
import { isPublished, publishOther, refuseOther } from '../plans/seenVersion.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import { gathered } from '../settings/cappedTable.js';
import { SUPPLIER_LINK } from '../settings/supplierLinkTerms.js';
import type { CampaignBuyerDoc, CampaignSupplierDoc, LinkDoc } from '../store/accountDocs.js';
import { checkAt } from '../values.js';
import { checkBuyerTerms } from './buyerLinks.js';
import { changedMeanwhile, type LinkChanges } from './changedMeanwhile.js';
import { notLinked } from './storeLink.js';

export interface UpdatedLinks {
  version: number;
  buyers: CampaignBuyerDoc[];
  suppliers: CampaignSupplierDoc[];
}

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'keyring' | 'author'>;

/**
 * Sets what is given, and publishes once.
 * @param expected refuse all of it unless the campaign has this version; absent: made over what is found, and of changes
 *   at once none is lost
 * @throws {AppError} `not_found` for the campaign; `validation_failed` with every fault, such as `buyers.3.price`;
 *   `version_conflict` naming the given values that others have changed since
 */
export async function updateLinks(
  account: Account,
  campaignId: string,
  changes: LinkChanges,
  expected?: number,
): Promise<UpdatedLinks> {
  const { collections, author } = account;
  await findCampaign(account, campaignId);
  const unpublished = unpublishedNow(author);
  const attempt = async () => {
    const done = await runTransaction(collections.campaigns, async (session) => {
      const now = await loadCampaign(collections, campaignId, session);
      if (expected !== undefined) {
        if (!(await isPublished(now, collections, account.keyring, session))) return now.campaign;
        refuseOther(now.campaign, expected);
      }
      const links = checkChanges(changes, now);
      await writeLinks(collections.campaignBuyers, links.buyers, session);
      await writeLinks(collections.campaignSuppliers, links.suppliers, session);
      const mark = { unpublished, ...changedFrom(now.campaign.plan_version, author) };
      await collections.campaigns.updateOne({ _id: campaignId }, { $set: mark }, { session });
      return links;
    });
    if (!('buyers' in done)) throw await publishOther(collections, done);
    return done;
  };
  const links = await (expected === undefined
    ? retryOnConflict(attempt)
    : attempt().catch(async (error: unknown) => {
        if (!isVersionConflict(error)) throw error;
        throw (await changedMeanwhile(account, campaignId, changes, expected)) ?? error;
      }));
  const { version } = await publishCampaign(account, campaignId);
  await markPublished(collections.campaigns, campaignId, unpublished);
  return { version, buyers: links.buyers.map(laid), suppliers: links.suppliers.map(laid) };
}

/** A link as it was, and the terms that are set. */
interface Laid<T> {
  link: T;
  terms: Partial<T>;
}

const laid = <T>({ link, terms }: Laid<T>): T => ({ ...link, ...terms });

interface LaidLinks {
  buyers: Laid<CampaignBuyerDoc>[];
  suppliers: Laid<CampaignSupplierDoc>[];
}

/** @throws {AppError} `validation_failed` with the faults of every link */
function checkChanges(
  { buyers = [], suppliers = [] }: LinkChanges,
  now: CampaignAccount,
): LaidLinks {
  const { _id: campaign_id, fields } = now.campaign;
  const faults: FieldError[] = [];
  const buyerLinks = new Map(now.buyers.map(({ link }) => [link.buyer_id, link]));
  const supplierLinks = new Map(now.suppliers.map(({ link }) => [link.supplier_id, link]));
  const places = { campaign_id, faults };
  const links = {
    buyers: layOver(
      { ...places, kind: 'buyer', links: buyerLinks },
      buyers.map(({ buyer_id: id, ...terms }) => ({ id, terms })),
      (terms, link): Partial<CampaignBuyerDoc> =>
        checkBuyerTerms(gathered(terms, link.caps), fields),
    ),
    suppliers: layOver(
      { ...places, kind: 'supplier', links: supplierLinks },
      suppliers.map(({ supplier_id: id, ...terms }) => ({ id, terms })),
      (terms, link): Partial<CampaignSupplierDoc> => SUPPLIER_LINK.read(gathered(terms, link.caps)),
    ),
  };
  if (faults.length > 0) throw invalidFields(faults);
  requireFits(links.buyers, now);
  return links;
}

interface Place<T> {
  campaign_id: string;
  kind: 'buyer' | 'supplier';
  links: ReadonlyMap<string, T>;
  /** Every fault is added, at its place in the input. */
  faults: FieldError[];
}

function layOver<T extends LinkDoc, I extends { status?: string }>(
  { campaign_id, kind, links, faults }: Place<T>,
  given: readonly { id: string; terms: I }[],
  read: (terms: I, link: T) => Partial<T>,
): Laid<T>[] {
  const seen = new Set<string>();
  return given.flatMap(({ id, terms }, n): Laid<T>[] => {
    const at = `${kind}s.${n}`;
    const fault = (message: string) =>
      faults.push({ field: `${at}.${kind}_id`, code: 'not_allowed', message });
    const link = links.get(id);
    if (seen.has(id)) fault(`${at}.${kind}_id is given twice: ${id}.`);
    else if (!link) fault(notLinked({ kind, campaign_id, partner_id: id }).message);
    seen.add(id);
    if (!link) return [];
    try {
      // The operator sets this status: from then on only the operator resumes the link.
      const byOperator = terms.status === undefined ? {} : { paused_by: null };
      return [{ link, terms: { ...checkAt(at, () => read(terms, link)), ...byOperator } }];
    } catch (error) {
      const found = error instanceof AppError ? error.extras.field_errors : undefined;
      if (!found) throw error;
      faults.push(...found);
      return [];
    }
  });
}

/** The terms that can make a plan too big. */
const GROWING = ['zips', 'filters', 'schedule'] as const;

function requireFits(changed: readonly Laid<CampaignBuyerDoc>[], now: CampaignAccount): void {
  const [grown] = changed.flatMap(({ terms }) => GROWING.filter((key) => terms[key]));
  if (grown === undefined) return;
  const byId = new Map(changed.map((one) => [one.link.buyer_id, laid(one)]));
  requireChangeFits(grown, now, {
    ...now,
    buyers: now.buyers.map((one) => ({ ...one, link: byId.get(one.link.buyer_id) ?? one.link })),
  });
}

async function writeLinks<T extends LinkDoc>(
  links: Collection<T>,
  changes: readonly Laid<T>[],
  session: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const writes = changes.map(({ link, terms }) => ({
    updateOne: { filter: { _id: link._id }, update: { $set: terms } },
  }));
  await links.bulkWrite(writes as unknown as AnyBulkWriteOperation<T>[], { session });
}
