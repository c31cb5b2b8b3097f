/** Moving an account to another time zone: its caps, then its plans, then its reports. */
import { AppError } from '../lib/errors.js';
import type { AccountContext } from './context.js';
import { checkTimeZone, findOrg } from './orgs.js';
import { publishForOrg } from './plans/publish.js';
import { bumpVersion } from './plans/unpublished.js';
import type { OrgDoc } from './store/accountDocs.js';

/** What a move does outside the account; each is safe to repeat. */
export interface ZoneSteps {
  /** Moves the windows of caps, before any plan has the new zone. */
  moveCaps(move: { orgId: string; at: Date; from: string; to: string }): Promise<void>;
  /** Has the sums of reports counted again by the days of the new zone. */
  recountReports(orgId: string): Promise<void>;
}

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'author' | 'clock'>;

/** How long after a move runs that began before it may still count by the former zone, in milliseconds. */
const SETTLED_MS = 120_000;

/**
 * Moves the account, and publishes all its campaigns. An interrupted move is finished by `reconcile`, which also makes the
 * last pass over the caps, once no run from before is left.
 * @returns whether the zone is another one
 * @throws {AppError} `validation_failed` for what is no time zone; `version_conflict` while another move is not finished
 */
export async function changeTimeZone(
  account: Account,
  zone: string,
  steps: ZoneSteps,
): Promise<boolean> {
  const { collections, orgId, author, clock } = account;
  const to = checkTimeZone(zone);
  const { time_zone: from } = await findOrg(account);
  if (from === to) return false;
  const moving = { at: clock.now(), from, to, by: author };
  const { matchedCount } = await collections.orgs.updateOne(
    { _id: orgId, time_zone: from, moving: { $exists: false } },
    { $set: { moving } },
  );
  if (matchedCount === 0)
    throw new AppError(
      'version_conflict',
      'The time zone was changed a moment ago, and that is not finished. Try again in a few minutes.',
    );
  await carryOut(account, moving, steps);
  return true;
}

async function carryOut(
  account: Account,
  moving: NonNullable<OrgDoc['moving']>,
  steps: ZoneSteps,
): Promise<void> {
  const { collections, orgId } = account;
  const { at, from, to } = moving;
  const move = { orgId, at, from, to };
  await steps.moveCaps(move);
  await collections.orgs.updateOne({ _id: orgId, 'moving.at': at }, { $set: { time_zone: to } });
  await publishForOrg(account);
  await bumpVersion(collections, orgId);
  // For links whose first lead came meanwhile.
  await steps.moveCaps(move);
  await steps.recountReports(orgId);
}

/** Finishes the moves of all accounts that were ordered a while ago. Returns their number. */
export async function finishMoves(
  { collections, clock }: Pick<AccountContext, 'collections' | 'clock'>,
  steps: ZoneSteps,
): Promise<number> {
  const before = new Date(Number(clock.now()) - SETTLED_MS);
  const found = await collections.orgs.find({ 'moving.at': { $lt: before } }).toArray();
  for (const { _id: orgId, moving } of found) {
    if (!moving) continue;
    await carryOut({ collections, orgId, clock, author: moving.by }, moving, steps);
    await collections.orgs.updateOne(
      { _id: orgId, 'moving.at': moving.at },
      { $unset: { moving: '' } },
    );
  }
  return found.length;
}
