/** Creates funnels and changes their drafts. What visitors see changes only by publishing. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MongoServerError } from 'mongodb';
import type { AccountContext } from '../account/context.js';
import { findCampaign } from '../account/campaigns/campaigns.js';
import { mergeFields } from '../account/plans/compilePlan.js';
import { checkName, invalidValue } from '../account/values.js';
import { AppError, type InputFault, invalidFields } from '../lib/errors.js';
import { retryOnConflict } from '../lib/retry.js';
import { isDuplicateKey } from '../platform/mongo/databaseErrors.js';
import { findPage, NEWEST_FIRST, type Found, type Wanted } from '../platform/mongo/pages.js';
import { checkSlug, otherSlug, slugOf, type FunnelSite } from './address.js';
import { misfits, requireLinked, warningsOfLinks } from './campaign.js';
import { keepPictures, readStored, showPictures } from './pictures.js';
import type { FunnelDefinition } from './rules/definition.js';
import { readDefinition } from './rules/readDefinition.js';
import type { TemplateName } from './rules/templates/names.js';
import { templateOf, templateWarnings } from './rules/templates/templateOf.js';
import { warningsOf } from './rules/warnings.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { FunnelCollections } from './store/collections.js';
import type { FunnelDoc, FunnelStatus } from './store/funnelDocs.js';

/** What the functions of funnels work with, and pick what they need of: an action's context is one. */
export interface FunnelContext extends Pick<AccountContext, 'orgId' | 'clock'> {
  collections: AccountCollections & Pick<LeadCollections, 'leads'> & FunnelCollections;
  funnels: Pick<FunnelSite, 'ownOrigin'>;
}

type Reading = Pick<FunnelContext, 'collections' | 'orgId'>;

export interface NewFunnel {
  template: TemplateName;
  campaign_id: string;
  supplier_id: string;
  /** Default: made from the campaign's name and the template. */
  name?: string;
  /** Default: made from the name. */
  slug?: string;
  /** Of the texts of the template (default `en`). */
  language?: 'en' | 'es';
}

/** A funnel without its definition, as lists show it. */
export type ListedFunnel = Omit<FunnelDoc, 'definition'>;

const TRIES_MAX = 20;

/**
 * Creates a funnel from a template: a draft, complete and valid for the campaign.
 * @throws {AppError} `not_found` for the campaign or supplier; `validation_failed` for a supplier that is not linked, and
 * for a name or slug that is not valid or taken
 */
export async function createFunnel(
  context: Omit<FunnelContext, 'funnels'>,
  { template, language = 'en', name: givenName, slug: givenSlug, ...linked }: NewFunnel,
): Promise<{ funnel: FunnelDoc; warnings: string[] }> {
  const { collections, orgId, clock } = context;
  const { campaign } = await requireLinked(context, linked);
  const fields = mergeFields(campaign.fields);
  const now = clock.now();
  const name =
    givenName === undefined ? defaultName(campaign.name, template) : checkName(givenName);
  const funnel: FunnelDoc = {
    _id: `fun_${randomBytes(12).toString('hex')}`,
    org_id: orgId,
    name,
    template,
    campaign_id: linked.campaign_id,
    supplier_id: linked.supplier_id,
    slug: givenSlug === undefined ? slugOf(name) : checkSlug(givenSlug),
    status: 'draft',
    definition: templateOf(template, language, { name: campaign.name, fields }),
    draft_version: 1,
    published_version: null,
    published_draft: null,
    published_at: null,
    created_at: now,
    updated_at: now,
  };
  const warnings = [
    ...warningsOf(funnel.definition),
    ...templateWarnings(template, fields),
    ...(await warningsOfLinks(funnel.definition, campaign, collections)),
  ];
  let named = 1;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const taken = await refusedKey(() => collections.funnels.insertOne({ ...funnel }));
    if (taken === null) return { funnel, warnings };
    if (taken === 'name') {
      if (givenName !== undefined) throw nameTaken(funnel.name);
      named += 1;
      funnel.name = `${name} ${named}`;
    } else {
      if (givenSlug !== undefined) throw slugTaken(funnel.slug);
      funnel.slug = otherSlug(slugOf(name));
    }
  }
  throw nameTaken(name);
}

const TITLES: Record<TemplateName, string> = {
  lead_form: 'lead form',
  quiz: 'quiz',
  appointment: 'appointment',
  vsl: 'video',
};
/** With room for a number after it. */
const defaultName = (campaign: string, template: TemplateName): string =>
  `${campaign.slice(0, 100)} ${TITLES[template]}`;

export interface FunnelChanges {
  /** The whole definition, as its schema reads it. */
  definition?: unknown;
  name?: string;
  slug?: string;
  /** Refuses the change unless the draft has this version. */
  expected_version?: number;
}

/**
 * Sets the passed values. Visitors see a new definition once it is published; a name and a slug apply at once.
 * @throws {AppError} `not_found`; `validation_failed` with every fault of the definition, or for a name or slug that is
 * not valid, taken, or of a published funnel; `version_conflict`
 */
export async function updateFunnel(
  context: FunnelContext,
  funnelId: string,
  { definition, name, slug, expected_version }: FunnelChanges,
): Promise<{ funnel: FunnelDoc; warnings: string[] }> {
  const set = {
    ...(name === undefined ? {} : { name: checkName(name) }),
    ...(slug === undefined ? {} : { slug: checkSlug(slug) }),
  };
  const change = async () => {
    const current = await findFunnel(context, funnelId);
    refuseOtherVersion(current, expected_version);
    refuseMoving(current, set.slug);
    if (definition === undefined)
      return { funnel: await store(context, current, set), warnings: [] };
    const read = await checkDefinition(context, current, definition);
    const kept = await keepPictures(context, read.definition);
    const isSame = isDeepStrictEqual(kept, current.definition);
    const draft = { definition: kept, draft_version: current.draft_version + 1 };
    const funnel = await store(context, current, { ...set, ...(isSame ? {} : draft) });
    return { funnel, warnings: read.warnings };
  };
  return expected_version === undefined ? retryOnConflict(change) : change();
}

/**
 * The definition as the schema reads it, valid for the campaign.
 * @throws {AppError} `validation_failed` with every fault
 */
export async function checkDefinition(
  { collections, orgId, funnels }: Omit<FunnelContext, 'clock'>,
  { campaign_id }: Pick<FunnelDoc, 'campaign_id'>,
  given: unknown,
): Promise<{ definition: FunnelDefinition; warnings: string[] }> {
  const read = readDefinition(given, funnels);
  if (!read.ok) throw refusedDefinition(read.details);
  const { definition, warnings } = read;
  const campaign = await findCampaign({ collections, orgId }, campaign_id);
  const faults = await misfits(definition, campaign);
  if (faults.length > 0) throw refusedDefinition(faults);
  const ofLinks = await warningsOfLinks(definition, campaign, collections);
  return { definition, warnings: [...warnings, ...ofLinks] };
}

function refusedDefinition(faults: readonly InputFault[]): AppError {
  return invalidFields(faults.map(({ path, ...fault }) => ({ field: path, ...fault })));
}

function refuseOtherVersion({ draft_version }: FunnelDoc, expected: number | undefined): void {
  if (expected === undefined || expected === draft_version) return;
  const text = `The funnel has version ${draft_version}, not ${expected}`;
  throw new AppError('version_conflict', `${text}: it has since been changed. Read it again.`);
}

/** Pages that embed a published funnel, and links to it, use its slug. */
function refuseMoving({ status, slug }: FunnelDoc, wanted: string | undefined): void {
  if (wanted === undefined || wanted === slug || status !== 'published') return;
  const rule = 'cannot change while the funnel is published: links and embeds would break';
  throw invalidValue('slug', 'not_allowed', `slug ${rule}. Unpublish it first.`);
}

/** @throws {AppError} `version_conflict` when another change was faster */
async function store(
  { collections, clock }: Pick<FunnelContext, 'collections' | 'clock'>,
  current: FunnelDoc,
  set: Partial<FunnelDoc>,
): Promise<FunnelDoc> {
  if (Object.keys(set).length === 0) return current;
  const changed = { ...set, updated_at: clock.now() };
  const { _id, draft_version, status } = current;
  const from = { _id, draft_version, status: set.slug === undefined ? undefined : status };
  let matched = 0;
  const taken = await refusedKey(async () => {
    ({ matchedCount: matched } = await collections.funnels.updateOne(from, { $set: changed }));
  });
  if (taken === 'name') throw nameTaken(set.name ?? current.name);
  if (taken === 'slug') throw slugTaken(set.slug ?? current.slug);
  if (matched === 0)
    throw new AppError('version_conflict', 'The funnel was changed meanwhile. Read it again.');
  return { ...current, ...changed };
}

/** The unique key that refused the write; null: it is written. */
async function refusedKey(write: () => Promise<unknown>): Promise<'name' | 'slug' | null> {
  try {
    await write();
    return null;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const { keyPattern = {} } = error as MongoServerError;
    return Object.hasOwn(keyPattern as object, 'slug') ? 'slug' : 'name';
  }
}

const nameTaken = (name: string): AppError =>
  invalidValue('name', 'not_allowed', `Another funnel is already named "${name}".`);
const slugTaken = (slug: string): AppError =>
  invalidValue('slug', 'not_allowed', `slug must be another: ${slug} is taken.`);

/**
 * The funnel as stored: pictures are named by their hashes.
 * @throws {AppError} `not_found` when the organization has no such funnel
 */
export async function findFunnel(
  { collections, orgId }: Reading,
  funnelId: string,
): Promise<FunnelDoc> {
  const found = await collections.funnels.findOne({ _id: funnelId, org_id: orgId });
  if (found) return { ...found, definition: readStored(found.definition) };
  throw new AppError('not_found', `There is no funnel ${funnelId}.`);
}

/**
 * The funnel with its pictures as `data:` addresses, so that its definition can be sent to another account.
 * @throws {AppError} `not_found` when the organization has no such funnel
 */
export async function getWholeFunnel(context: Reading, funnelId: string): Promise<FunnelDoc> {
  const funnel = await findFunnel(context, funnelId);
  return { ...funnel, definition: await showPictures(context, funnel.definition) };
}

/** A funnel of a list, with its definition and its pictures in it where it was asked for whole. */
export type WholeFunnel = ListedFunnel & Partial<Pick<FunnelDoc, 'definition'>>;

/** Longest page of whole funnels, in characters of their definitions, which have their pictures in them. */
const WHOLE_MAX = 8_000_000;

/**
 * These funnels with their definitions and pictures, one after the other, up to the one with which they are longer than a
 * page may be. The first is always among them.
 */
export async function readWholeFunnels(
  context: Reading,
  funnels: readonly ListedFunnel[],
): Promise<WholeFunnel[]> {
  const whole: WholeFunnel[] = [];
  let length = 0;
  for (const { _id } of funnels) {
    if (length > WHOLE_MAX) break;
    const funnel = await getWholeFunnel(context, _id);
    length += JSON.stringify(funnel.definition).length;
    whole.push(funnel);
  }
  return whole;
}

/** The funnels of the organization, newest first. */
export function listFunnels(
  { collections, orgId }: Reading,
  only: { status?: FunnelStatus; campaign_id?: string },
  wanted: Wanted,
): Promise<Found<ListedFunnel>> {
  const fits = { org_id: orgId, status: only.status, campaign_id: only.campaign_id };
  return findPage(collections.funnels, fits, NEWEST_FIRST, {
    ...wanted,
    options: { projection: { definition: 0 } },
  });
}

/**
 * Deletes a funnel that is not published, with its counts; its versions and consent records stay, as evidence.
 * @throws {AppError} `not_found`, `action_refused` for one that is published
 */
export async function deleteFunnel(context: Reading, funnelId: string): Promise<void> {
  const { funnels, funnelCounts } = context.collections;
  const found = await funnels.findOneAndDelete(
    { _id: funnelId, org_id: context.orgId, status: { $ne: 'published' } },
    { projection: { _id: 1 } },
  );
  if (!found) {
    const { name } = await findFunnel(context, funnelId);
    throw new AppError(
      'action_refused',
      `${name} is published. Unpublish it first (unpublish_funnel).`,
    );
  }
  await funnelCounts.deleteMany({ funnel_id: funnelId });
}
