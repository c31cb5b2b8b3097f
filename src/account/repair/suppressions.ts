/**
 * Suppression entries that an earlier release stored as MD5, which can be reversed by trying every phone number.
 * @until 0.3
 */
import type { ClientSession } from 'mongodb';
import type { Keyring } from '../../platform/security/seal.js';
import type { Log } from '../../lib/log.js';
import type { AccountCollections } from '../store/collections.js';
import type { SuppressionListDoc, SuppressionStateDoc } from '../store/suppressionDocs.js';
import type { RepairStore } from '../../platform/mongo/repairs.js';
import { entryForms, md5EntriesOf, md5Of } from '../store/suppressionIds.js';
import { createHashingState, type HashingState } from '../store/suppressionState.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { openCount } from '../suppression/entryCount.js';
import type { Clock } from '../../lib/clock.js';

/**
 * A day. As long as processes of the previous release may run, in addition to those of this one or in their place, they
 * must find the entries of a list; they know only this form.
 */
const WAIT_MS = 86_400_000;
/**
 * Where the last completed run of `reconcile` is later than the last one of this release by this much, it was one of
 * the previous release: a run of this release records both.
 */
const OTHERS_MS = 300_000;
/** No further part is begun after this time: the next run continues. */
const RUN_MS = 5_000;
/** Entries that are written together, or not at all. */
const BATCH_SIZE = 1_000;
const LISTS_PER_RUN = 500;
const BUSY = 'A suppression list changes constantly; its entries are not hashed.';

export interface HashingDeps {
  clock: Clock;
  collections: AccountCollections;
  keyring: Keyring;
  repairs: Pick<RepairStore, 'lastCompleted'>;
  log: Pick<Log, 'error'>;
  stopping(): boolean;
}

/**
 * Hashes them, list by list, as far as one run gets. An interrupted run is continued by the next: an entry is on its
 * list in one form or the other at any moment. Returns the number hashed.
 */
export async function hashEntries(deps: HashingDeps): Promise<number> {
  const { collections, clock, keyring } = deps;
  const state = createHashingState(collections.suppressionState);
  const begun = await state.begin(clock.now(), keyring.keyId);
  const { seen_at, after = '', done_at, key_id } = begun;
  const isOurs = key_id === keyring.keyId || (await isAdopted(key_id, state, deps));
  if (await hasOtherRun(begun, deps)) {
    await state.restart(clock.now());
    return 0;
  }
  await state.ran(clock.now());
  // An MD5 matches under any secret, a keyed hash under one only: under another secret nothing irreversible is done.
  if (!isOurs || done_at || Number(clock.now()) < Number(seen_at) + WAIT_MS) return 0;
  const lists = await collections.suppressionLists
    .find({ _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(LISTS_PER_RUN)
    .toArray();
  const until = clock.monotonic() + RUN_MS;
  const hasTime = (): boolean => !deps.stopping() && clock.monotonic() < until;
  let hashed = 0;
  for (const list of lists) {
    const part = await hashList(list, hasTime, deps);
    hashed += part.hashed;
    if (part.isLeft) return hashed;
    await state.passed(list._id);
  }
  // A list created since has no such entries: this release stores none.
  if (lists.length < LISTS_PER_RUN) await state.done(clock.now());
  return hashed;
}

/** Whether the installation ran the previous release meanwhile: rolled back and forward again, or both at once. */
async function hasOtherRun(
  { ran_at }: SuppressionStateDoc,
  { repairs }: HashingDeps,
): Promise<boolean> {
  const last = await repairs.lastCompleted();
  return !!last && !!ran_at && Number(last) - Number(ran_at) > OTHERS_MS;
}

/**
 * Whether this secret becomes the one to hash with: only while there is no list. Entries hashed with a secret that is
 * no longer configured match no lead: leads of these people would be sold.
 */
async function isAdopted(
  stored: string,
  state: HashingState,
  { collections: { suppressionLists }, keyring: { keyId }, log }: HashingDeps,
): Promise<boolean> {
  if (!(await suppressionLists.findOne({}, { projection: { _id: 1 } }))) {
    await state.adopt(keyId);
    return true;
  }
  log.error(
    { stored, key_id: keyId },
    'LEADWIRE_SECRET was changed: earlier entries of suppression lists can no longer be found',
  );
  return false;
}

async function hashList(
  list: SuppressionListDoc,
  hasTime: () => boolean,
  deps: HashingDeps,
): Promise<{ hashed: number; isLeft: boolean }> {
  const { suppressions } = deps.collections;
  const first = await suppressions.findOne({ _id: md5EntriesOf(list._id) });
  // Entries of a list that is being deleted are deleted as they are.
  if (!first || list.removed_at) return { hashed: 0, isLeft: false };
  // An upload that ends while entries are being hashed counts them anew.
  const count = await openCount(deps.collections, list._id);
  let hashed = 0;
  let isLeft = true;
  while (isLeft && hasTime()) {
    const part = await retryTransaction(
      suppressions,
      (session) => hashPart(list, session, deps),
      BUSY,
    );
    hashed += part;
    isLeft = part === BATCH_SIZE;
  }
  await count.finish();
  return { hashed, isLeft };
}

async function hashPart(
  { _id: listId, org_id }: SuppressionListDoc,
  session: ClientSession,
  { collections: { suppressions, suppressionLists }, keyring }: HashingDeps,
): Promise<number> {
  const old = await suppressions
    .find({ _id: md5EntriesOf(listId) }, { session })
    .sort({ _id: 1 })
    .limit(BATCH_SIZE)
    .toArray();
  if (old.length === 0) return 0;
  const all = old.map(({ _id }): string => {
    const { current } = entryForms({ org_id, md5: md5Of(_id, listId) }, keyring, true);
    return listId + current;
  });
  const there = await suppressions.find({ _id: { $in: all } }, { session }).toArray();
  const known = new Set(there.map(({ _id }) => _id));
  const missing = all.filter((_id) => !known.has(_id)).map((_id) => ({ _id }));
  if (missing.length > 0) await suppressions.insertMany(missing, { session });
  await suppressions.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }, { session });
  if (known.size > 0) {
    const once = { $inc: { entries: -known.size } };
    await suppressionLists.updateOne({ _id: listId }, once, { session });
  }
  return old.length;
}
