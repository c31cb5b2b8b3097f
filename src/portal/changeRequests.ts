/** Change requests of partners: creates, lists and withdraws them. */
import { randomBytes } from 'node:crypto';
import { invalidValue } from '../account/values.js';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../lib/clock.js';
import { AppError } from '../lib/errors.js';
import { findPage, NEWEST_FIRST, type Found, type Wanted } from '../platform/mongo/pages.js';
import { checkAsked, readTerms, type AskedChange, type TermsDeps } from './askedTerms.js';
import { differences } from './rules/changedTerms.js';
import type { Party } from './settings.js';
import type { ChangePerson, ChangeRequestDoc, ChangeState } from './store/changeRequestDocs.js';
import type { PortalCollections } from './store/collections.js';

/** Requests of one partner that may wait at a time. */
const PENDING_MAX = 50;

export interface NewChange {
  org_id: string;
  party: Party;
  /** Absent: the partner as a whole. */
  campaign_id?: string;
  asked: AskedChange;
  reason: string | null;
  /** The version of the campaign that was seen; another one by now is a conflict. */
  version?: number;
  by: ChangePerson;
}

/**
 * Asks for a change; it waits until the organization decides. Asking again for what waits already gives
 * that request.
 * @throws {AppError} `not_found` where the partner has no such campaign, `validation_failed` for terms that are not
 * valid, differ in nothing, or too many that wait, `version_conflict`
 */
export async function createChangeRequest(
  { org_id, party, asked, reason, version, by, ...place }: NewChange,
  deps: Pick<TermsDeps, 'collections'> & { clock: Pick<Clock, 'now'> },
): Promise<ChangeRequestDoc> {
  const { changeRequests } = deps.collections;
  const target = { org_id, ...party, campaign_id: place.campaign_id ?? null };
  const current = await readTerms(target, deps);
  if (version !== undefined && version !== current.version)
    throw new AppError(
      'version_conflict',
      `The terms now have version ${current.version}. Check them and request the change again.`,
    );
  const wanted = await checkAsked(target, asked, current.terms, deps);
  const { before, after } = differences(current.terms, wanted);
  if (Object.keys(after).length === 0)
    throw invalidValue('', 'required', 'At least one term must differ from its current value.');
  const waiting = await changeRequests
    .find({ org_id, party_id: party.party_id, state: 'pending' })
    .sort({ created_at: -1, _id: -1 })
    .limit(PENDING_MAX)
    .toArray();
  const same = waiting.find(
    (one) => one.campaign_id === target.campaign_id && isDeepStrictEqual(one.after, after),
  );
  if (same) return same;
  if (waiting.length >= PENDING_MAX)
    throw invalidValue(
      '',
      'not_allowed',
      `At most ${PENDING_MAX} requests can be pending. Withdraw one, or wait for a decision.`,
    );
  const request: ChangeRequestDoc = {
    _id: `chg_${randomBytes(12).toString('hex')}`,
    ...target,
    before,
    after,
    base_version: current.version,
    reason,
    state: 'pending',
    created_at: deps.clock.now(),
    requested_by: by,
  };
  await changeRequests.insertOne(request);
  return request;
}

interface ChangeFilter {
  org_id: string;
  party?: Party;
  state?: ChangeState;
  /** Only this one. */
  id?: string;
}

/** Requests of an organization, or of one of its partners, newest first. */
export const listChangeRequests = (
  { changeRequests }: Pick<PortalCollections, 'changeRequests'>,
  { org_id, party, state, id: _id }: ChangeFilter,
  wanted: Wanted,
): Promise<Found<ChangeRequestDoc>> =>
  findPage(changeRequests, { _id, org_id, ...party, state }, NEWEST_FIRST, wanted);

/**
 * Takes back a request that is not decided yet. Safe to repeat.
 * @throws {AppError} `not_found` for a request that is not the partner's, `action_refused` once it is decided
 */
export async function withdrawChangeRequest(
  { org_id, party, id, by }: { org_id: string; party: Party; id: string; by: ChangePerson },
  {
    collections: { changeRequests },
    clock,
  }: { collections: Pick<PortalCollections, 'changeRequests'>; clock: Pick<Clock, 'now'> },
): Promise<ChangeRequestDoc> {
  const own = { _id: id, org_id, ...party };
  const withdrawn = await changeRequests.findOneAndUpdate(
    { ...own, state: 'pending' },
    { $set: { state: 'withdrawn', resolved_by: by, resolved_at: clock.now() } },
    { returnDocument: 'after' },
  );
  const known = withdrawn ?? (await changeRequests.findOne(own));
  if (!known) throw noSuchChange();
  if (known.state === 'withdrawn') return known;
  throw alreadyDecided(known);
}

export const noSuchChange = (): AppError =>
  new AppError('not_found', 'There is no such change request.');

/** Names who decided, and when. */
export function alreadyDecided({ state, resolved_by, resolved_at }: ChangeRequestDoc): AppError {
  const who = resolved_by ? ` by ${resolved_by.name}` : '';
  const when = resolved_at ? ` at ${resolved_at.toISOString()}` : '';
  return new AppError('action_refused', `This request is ${STATES[state]}${who}${when}.`);
}

const STATES: Record<ChangeState, string> = {
  pending: 'not decided yet',
  approved: 'approved already,',
  refused: 'refused already,',
  stale: 'out of date: the terms were changed meanwhile. It was checked',
  withdrawn: 'withdrawn already,',
};
