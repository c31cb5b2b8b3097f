/** Opening, closing and setting up partners' portals. */
import { findBuyer } from '../account/buyers/buyers.js';
import { readFieldNames } from '../account/buyers/delivery.js';
import { findSupplier } from '../account/suppliers/suppliers.js';
import { invalidValue } from '../account/values.js';
import type { Clock } from '../lib/clock.js';
import { didYouMean } from '../lib/nearest.js';
import { pickDefined } from '../lib/defined.js';
import { readParts, settled } from '../lib/schema/zodIssues.js';
import { dropUnusedLogo, keepLogo } from './logo.js';
import { settingsId, type Party } from './settings.js';
import { ALL_FIELDS, PortalRules, type PortalRulesInput, type Side } from './settingsSchema.js';
import { findPage, NEWEST_FIRST, type Found, type Wanted } from '../platform/mongo/pages.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { PortalCollections } from './store/collections.js';
import type { PortalSettingsDoc } from './store/portalDocs.js';

interface ConfigureDeps {
  collections: AccountCollections & PortalCollections;
  clock: Pick<Clock, 'now'>;
}

/**
 * Opens the portal of a partner, or closes it: its people are out at their next request.
 * @throws {AppError} `not_found` when the organization has no such partner
 */
export async function enablePortal(
  orgId: string,
  party: Party,
  isEnabled: boolean,
  { collections, clock }: ConfigureDeps,
): Promise<void> {
  await requireParty(collections, orgId, party);
  const updated_at = clock.now();
  await store(collections, orgId, party, { $set: { is_enabled: isEnabled, updated_at } });
}

/** Portals that are open, newest first. */
export const listPortals = (
  { portalSettings }: Pick<PortalCollections, 'portalSettings'>,
  orgId: string,
  side: Side | undefined,
  wanted: Wanted,
): Promise<Found<PortalSettingsDoc>> =>
  findPage(portalSettings, { org_id: orgId, is_enabled: true, side }, NEWEST_FIRST, wanted);

/** @throws {AppError} `not_found` when the organization has no such partner */
export async function requireParty(
  collections: AccountCollections & PortalCollections,
  orgId: string,
  { side, party_id }: Party,
): Promise<{ name: string }> {
  return side === 'buyer'
    ? findBuyer({ collections, orgId }, party_id)
    : findSupplier({ collections, orgId }, party_id);
}

/** Of a side, or of one partner. */
export type Place = Pick<Party, 'side'> & Partial<Party>;

/**
 * Sets the passed settings and keeps the rest; null resets a setting. Applies from the next request.
 * @param logo base64; null removes it; absent: unchanged
 * @throws {AppError} `not_found`, or `validation_failed` naming every setting that is not valid
 */
export async function configurePortal(
  orgId: string,
  place: Place,
  { logo, ...given }: PortalRulesInput & { logo?: string | null | undefined },
  { collections, clock }: ConfigureDeps,
): Promise<void> {
  const { side, party_id } = place;
  if (party_id !== undefined) await requireParty(collections, orgId, { side, party_id });
  const rules = await checkRules(collections, orgId, given);
  const at = clock.now();
  const logo_id = logo == null ? undefined : await keepLogo(collections, orgId, logo, at);
  const reset = Object.entries(given).filter(([, value]) => value === null);
  const before = await store(collections, orgId, place, {
    $set: {
      ...Object.fromEntries(Object.entries(rules).map(([key, value]) => [`rules.${key}`, value])),
      logo_id,
      updated_at: at,
    },
    $unset: {
      ...Object.fromEntries(reset.map(([key]) => [`rules.${key}`, ''])),
      logo_id: logo === null ? '' : undefined,
    },
  });
  const old = before?.logo_id;
  if (logo !== undefined && old !== undefined && old !== logo_id)
    await dropUnusedLogo(collections, orgId, old);
}

async function checkRules(
  collections: AccountCollections & PortalCollections,
  orgId: string,
  given: PortalRulesInput,
): Promise<Partial<PortalRules>> {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null));
  const rules = pickDefined(
    settled(
      '',
      readParts(PortalRules, set, (hint) => `is not a setting of portals.${hint}`),
    ),
    Object.keys(set) as (keyof PortalRules)[],
  );
  if (rules.fields) await requireFields(collections, orgId, rules.fields);
  return rules;
}

async function requireFields(
  collections: AccountCollections & PortalCollections,
  orgId: string,
  fields: readonly string[],
): Promise<void> {
  const known = await readFieldNames({ collections, orgId });
  const first = fields.find((name) => name !== ALL_FIELDS && !known.includes(name));
  if (first === undefined) return;
  const message = `fields: no campaign has a field ${first.slice(0, 100)}.${didYouMean(first, known)}`;
  throw invalidValue('fields', 'not_allowed', message);
}

/** Returns the previous settings. */
const store = (
  { portalSettings }: PortalCollections,
  orgId: string,
  { side, party_id }: Place,
  update: {
    $set: Record<string, unknown> & { updated_at: Date };
    $unset?: Record<string, string | undefined>;
  },
): Promise<PortalSettingsDoc | null> =>
  portalSettings.findOneAndUpdate(
    { _id: settingsId(orgId, side, party_id) },
    {
      ...(update as object),
      $setOnInsert: { org_id: orgId, side, party_id, created_at: update.$set.updated_at },
    },
    { upsert: true },
  );
