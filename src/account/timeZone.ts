/** Moving an account to another time zone: its caps, then its plans, then its reports. */
import type { Clock } from '../lib/clock.js';
import { AppError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { workUntilDeadline } from '../lib/workUntilDeadline.js';
import type { AccountContext } from './context.js';
import { checkTimeZone, checkZoneOfDatabase, findOrg } from './orgs.js';
import { publishInZone } from './plans/publish.js';
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
 * @throws {AppError} `validation_failed` for what is no time zone, or none that the database knows; `version_conflict` while another move is not finished
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
  await checkZoneOfDatabase(account, to);
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
  await publishInZone(account, to);
  await bumpVersion(collections, orgId);
  // For links whose first lead came meanwhile.
  await steps.moveCaps(move);
  await steps.recountReports(orgId);
}

const PER_RUN = 200;

export interface FinishDeps extends Pick<AccountContext, 'collections'> {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Pick<Log, 'error'>;
}

/**
 * Finishes moves of accounts that were ordered a while ago. One that fails does not stop the others, and is tried again
 * later. Returns how many are finished.
 */
export async function finishMoves(deps: FinishDeps, steps: ZoneSteps): Promise<number> {
  const { collections, clock, log } = deps;
  const before = new Date(Number(clock.now()) - SETTLED_MS);
  const left = { 'moving.at': { $lt: before }, 'moving.tried_at': { $not: { $gte: before } } };
  const found = await collections.orgs.find(left).limit(PER_RUN).toArray();
  return workUntilDeadline(found, {
    clock,
    repair: (org) => finishMove(org, deps, steps),
    failed({ _id }, error) {
      log.error({ err: error, org_id: _id }, 'the move of an account to another time zone failed');
      const tried = { $set: { 'moving.tried_at': clock.now() } };
      return collections.orgs.updateOne({ _id, 'moving.at': { $lt: before } }, tried);
    },
  });
}

async function finishMove(
  { _id: orgId, moving }: OrgDoc,
  { collections, clock }: FinishDeps,
  steps: ZoneSteps,
): Promise<number> {
  if (!moving) return 0;
  await carryOut({ collections, orgId, clock, author: moving.by }, moving, steps);
  await collections.orgs.updateOne(
    { _id: orgId, 'moving.at': moving.at },
    { $unset: { moving: '' } },
  );
  return 1;
}
