import { randomUUID } from 'node:crypto';
import type { AccountContext } from './context.js';
import type { AccountCollections } from './store/collections.js';
import type { OrgDoc } from './store/accountDocs.js';
import { bumpVersion } from './plans/unpublished.js';
import { isUnknownZone } from '../platform/mongo/databaseErrors.js';
import { checkName, invalidValue } from './values.js';

export interface OrgInput {
  name: string;
  /** IANA name; the windows of caps and dates follow it. Default UTC. */
  time_zone?: string;
  /** ISO 4217 code. Default USD. */
  currency?: string;
  /** Given only where a later run must find the organization by it. Default: a new UUID. */
  id?: string;
}

/** @throws {AppError} `validation_failed` for a bad name, time zone or currency */
export async function createOrg(collections: AccountCollections, input: OrgInput): Promise<OrgDoc> {
  const org: OrgDoc = {
    _id: input.id ?? randomUUID(),
    name: checkName(input.name),
    time_zone: checkTimeZone(input.time_zone ?? 'UTC'),
    currency: checkCurrency(input.currency ?? 'USD'),
    created_at: new Date(),
  };
  await collections.orgs.insertOne(org);
  await bumpVersion(collections, org._id);
  return org;
}

/** The time zone of an organization: its days, and the windows of its caps, are in it. UTC where it is gone. */
export async function readTimeZone(
  { orgs }: Pick<AccountCollections, 'orgs'>,
  orgId: string,
): Promise<string> {
  const org = await orgs.findOne({ _id: orgId }, { projection: { time_zone: 1 } });
  return org?.time_zone ?? 'UTC';
}

/**
 * @throws {Error} for an organization that is gone: its keys are gone as well
 */
export async function findOrg({
  collections,
  orgId,
}: Pick<AccountContext, 'collections' | 'orgId'>): Promise<OrgDoc> {
  const org = await collections.orgs.findOne({ _id: orgId });
  if (org) return org;
  throw new Error(`There is no organization ${orgId}`);
}

/**
 * Gives the organization another name.
 * @throws {AppError} `validation_failed` for a bad name
 */
export async function renameOrg(
  account: Pick<AccountContext, 'collections' | 'orgId'>,
  name: string,
): Promise<void> {
  const { collections, orgId } = account;
  await collections.orgs.updateOne({ _id: orgId }, { $set: { name: checkName(name) } });
  await bumpVersion(collections, orgId);
}

/** Offsets (`+05:30`), which some runtimes accept as time zones, have no daylight saving time and no history. */
const OFFSET = /^[+\-\u2212]/;

/** @throws {AppError} `validation_failed` for what is no IANA name */
export function checkTimeZone(name: string): string {
  try {
    if (OFFSET.test(name)) throw new RangeError('an offset');
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    throw invalidValue(
      'time_zone',
      'not_allowed',
      `time_zone must be an IANA name such as "America/New_York"; "${name}" is not one.`,
    );
  }
}

/**
 * The database counts caps by the clock of the zone, and may know fewer zones than this process.
 * @param zone an IANA name
 * @throws {AppError} `validation_failed` when it does not know the zone
 */
export async function checkZoneOfDatabase(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  zone: string,
): Promise<void> {
  const day = { $dateToString: { date: '$$NOW', format: '%Y-%m-%d', timezone: zone } };
  try {
    await collections.orgs.aggregate([{ $match: { _id: orgId } }, { $project: { day } }]).toArray();
  } catch (error) {
    if (!isUnknownZone(error)) throw error;
    throw invalidValue(
      'time_zone',
      'not_allowed',
      `The database does not know the time zone "${zone}": its time zone data is older. Update MongoDB, or choose another zone.`,
    );
  }
}

function checkCurrency(code: string): string {
  const upper = code.toUpperCase();
  if (Intl.supportedValuesOf('currency').includes(upper)) return upper;
  throw invalidValue(
    'currency',
    'not_allowed',
    `currency must be an ISO 4217 code such as "USD"; "${code}" is not one.`,
  );
}
