/**
 * The evidence of a consent: written before its lead is submitted, and never changed except for its ping and lead; found
 * by its lead.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../../fields/values.js';
import { AppError } from '../../lib/errors.js';
import { DURABLE } from '../../platform/mongo/readConcern.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { FunnelContext } from '../funnels.js';
import type { FunnelCollections } from '../store/collections.js';
import type { ConsentDoc } from '../store/funnelDocs.js';

type Collections = Pick<FunnelCollections, 'consents'>;

/** SHA-256, hex. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The first submit of a page gets the record named by its nonce. One with other answers, after the service could
 * not accept the first, gets a second record: that of the first answers stays unchanged.
 * @returns the record, new or earlier, and whether it is the first of its page
 */
export async function recordConsent(
  consent: ConsentDoc,
  { consents }: Collections,
): Promise<{ consent: ConsentDoc; isFirst: boolean }> {
  if (await insertNew(consent, { consents })) return { consent, isFirst: true };
  const first = await consents.findOne({ _id: consent._id }, DURABLE);
  if (!first || isDeepStrictEqual(first.answers, consent.answers))
    return { consent: first ?? consent, isFirst: false };
  const _id = `${consent._id}.${hashText(JSON.stringify(sorted(consent.answers))).slice(0, 16)}`;
  const other = { ...consent, _id };
  if (await insertNew(other, { consents })) return { consent: other, isFirst: false };
  return { consent: (await consents.findOne({ _id }, DURABLE)) ?? other, isFirst: false };
}

const sorted = (answers: Fields): [string, unknown][] =>
  Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1));

async function insertNew(consent: ConsentDoc, { consents }: Collections): Promise<boolean> {
  try {
    await consents.insertOne(consent);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** The lead names its consent; this adds the reverse link. */
export async function linkConsent(
  consentId: string,
  leadId: string,
  { consents }: Collections,
): Promise<void> {
  await consents.updateOne(
    { _id: consentId, lead_id: { $exists: false } },
    { $set: { lead_id: leadId } },
  );
}

/**
 * The ping that the lead of this page redeems: of two made at once, the one stored first, so that a repeated submit
 * is one request.
 * @param before the token to replace; undefined: there was none
 * @returns the token to go on with
 */
export async function keepPing(
  consentId: string,
  token: string,
  before: string | undefined,
  { consents }: Collections,
): Promise<string> {
  const kept = await consents.updateOne(
    { _id: consentId, ping_token: before ?? { $exists: false } },
    { $set: { ping_token: token } },
  );
  if (kept.matchedCount > 0) return token;
  const other = await consents.findOne({ _id: consentId }, DURABLE);
  return other?.ping_token ?? token;
}

/**
 * What the visitor behind a lead agreed to. The lead names its record from its first write on, so it is found even when
 * the record does not name its lead yet.
 * @throws {AppError} `not_found` for a lead that the organization does not have, or that came from no funnel
 */
export async function findConsent(
  { collections, orgId }: Pick<FunnelContext, 'collections' | 'orgId'>,
  leadId: string,
): Promise<ConsentDoc> {
  const { leads, consents } = collections;
  const naming = await consents.findOne({ lead_id: leadId, org_id: orgId });
  if (naming) return naming;
  const lead = await leads.findOne({ _id: leadId, org_id: orgId }, { projection: { origin: 1 } });
  if (!lead) throw new AppError('not_found', `There is no lead ${leadId}.`);
  const named =
    lead.origin && (await consents.findOne({ _id: lead.origin.consent_id, org_id: orgId }));
  if (named) return named;
  throw new AppError(
    'not_found',
    `There is no consent record of the lead ${leadId}: it did not come from a funnel.`,
  );
}
