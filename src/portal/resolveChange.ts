/**
 * Deciding change requests. The decision is one update of the request, so that of two people one decides; an approved
 * request says that its terms are owed until they are changed, so that neither a crash nor a lost database loses it.
 */
import { withoutKeys } from '../lib/defined.js';
import { AppError, nullIfGone } from '../lib/errors.js';
import { applyTerms, movedOn, readTerms, type TermsDeps } from './askedTerms.js';
import { alreadyDecided, noSuchChange } from './changeRequests.js';
import { holdsNow } from './rules/changedTerms.js';
import type { ChangePerson, ChangeRequestDoc } from './store/changeRequestDocs.js';

interface Decision {
  org_id: string;
  id: string;
  result: 'approve' | 'refuse';
  note: string | null;
  by: ChangePerson;
}

/**
 * Approves a request, which changes the terms as a new version of the campaign, or refuses it. Repeated by the same
 * person it returns the decision again.
 * @throws {AppError} `not_found`; `action_refused`, naming who decided, where another person was first;
 * `version_conflict` if the terms have changed since the request, which is then out of date;
 * `validation_failed` where the campaign no longer takes them: the request waits then
 */
export async function resolveChangeRequest(
  decision: Decision,
  deps: TermsDeps,
): Promise<ChangeRequestDoc> {
  const request = await findChange(decision, deps);
  if (request.state !== 'pending') return again(request, decision, deps);
  if (decision.result === 'approve') await requireCurrent(request, deps);
  const decided = await decide(request, decision, deps);
  if (!decided) return again(await findChange(decision, deps), decision, deps);
  return decided.owed ? settle(decided, deps) : decided;
}

async function findChange(
  { org_id, id }: Pick<Decision, 'org_id' | 'id'>,
  { collections }: TermsDeps,
): Promise<ChangeRequestDoc> {
  const request = await collections.changeRequests.findOne({ _id: id, org_id });
  if (!request) throw noSuchChange();
  return request;
}

/** Decided already: by this very person just so, or by another. */
function again(
  request: ChangeRequestDoc,
  { result, by }: Decision,
  deps: TermsDeps,
): ChangeRequestDoc | Promise<ChangeRequestDoc> {
  const wanted = result === 'approve' ? 'approved' : 'refused';
  if (request.state !== wanted || request.resolved_by?.id !== by.id) throw alreadyDecided(request);
  return request.owed ? settle(request, deps) : request;
}

/** @throws {AppError} `version_conflict`; the request is out of date from then on */
async function requireCurrent(request: ChangeRequestDoc, deps: TermsDeps): Promise<void> {
  const terms = await readTerms(request, deps)
    .then((found) => found.terms)
    .catch(nullIfGone);
  if (terms && holdsNow(request.before, terms)) return;
  const { changeRequests } = deps.collections;
  await changeRequests.updateOne({ _id: request._id, state: 'pending' }, outdated(deps));
  throw movedOn();
}

const outdated = ({ clock }: TermsDeps) => ({
  $set: { state: 'stale' as const, resolved_at: clock.now() },
  $unset: { owed: '' as const, resolved_by: '' as const },
});

/** Null: another decision was first. */
const decide = (
  { _id }: ChangeRequestDoc,
  { result, note, by }: Decision,
  { collections, clock }: TermsDeps,
): Promise<ChangeRequestDoc | null> => {
  const isApproved = result === 'approve';
  const decided = { note, resolved_by: by, resolved_at: clock.now() };
  const $set = isApproved
    ? { ...decided, state: 'approved' as const, owed: true as const }
    : { ...decided, state: 'refused' as const };
  return collections.changeRequests.findOneAndUpdate(
    { _id, state: 'pending' },
    { $set },
    { returnDocument: 'after' },
  );
};

/**
 * Changes the terms of an approved request. Safe to repeat, and side by side with itself.
 * @throws {AppError} as `resolveChangeRequest`; the request is out of date, or waits again
 */
export async function settle(
  request: ChangeRequestDoc,
  deps: TermsDeps,
): Promise<ChangeRequestDoc> {
  const { changeRequests } = deps.collections;
  const owed = { _id: request._id, owed: true as const };
  try {
    await applyTerms(request, deps);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const isStale = error.code === 'version_conflict' || error.code === 'not_found';
    const { modifiedCount } = await changeRequests.updateOne(
      owed,
      isStale ? outdated(deps) : WAITS_AGAIN,
    );
    // Another process has changed the terms, and they have been changed again since.
    if (modifiedCount === 0) return findChange({ org_id: request.org_id, id: request._id }, deps);
    throw isStale ? movedOn() : error;
  }
  await changeRequests.updateOne(owed, { $unset: { owed: '' } });
  return withoutKeys(request, ['owed']);
}

const WAITS_AGAIN = {
  $set: { state: 'pending' as const },
  $unset: {
    owed: '' as const,
    resolved_by: '' as const,
    resolved_at: '' as const,
    note: '' as const,
  },
};
