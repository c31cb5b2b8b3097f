/** A list takes the place of another at once: until then the old one applies as it was, and from then on the new one. */
import { AppError } from '../../lib/errors.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { markPublished, unpublishedNow } from '../plans/unpublished.js';
import type { SuppressionImportDoc, SuppressionListDoc } from '../store/suppressionDocs.js';
import { countEntries } from '../store/suppressions.js';
import { publishList, type ListAccount } from './suppressions.js';

/**
 * Milliseconds for which the entries of the old list are kept: a lead that is being decided by the plan from before still
 * looks into it.
 */
const OLD_KEPT_MS = 600_000;
const BUSY = 'The list changes at the moment. Call again.';

/**
 * Puts the entries of an import into force, in place of the list of its name, if there is one. Safe to repeat: the change
 * itself happens once.
 * @throws {AppError} `action_refused` for an import without entries: the wrong file would otherwise empty a list
 */
export async function replaceList(
  account: ListAccount,
  doc: SuppressionImportDoc,
): Promise<SuppressionListDoc> {
  const { suppressionLists, suppressions } = account.collections;
  const entries = await countEntries(suppressions, doc.list_id);
  if (!doc.swapped_at && entries === 0) throw nothingIn(doc);
  const mark = unpublishedNow(account.author);
  await retryTransaction(suppressionLists, (session) => swap(session), BUSY);
  const list = await suppressionLists.findOne({ _id: doc.list_id });
  if (!list) throw new AppError('not_found', `There is no suppression list ${doc.list_id}.`);
  await publishList(account, list);
  if (list.unpublished) await markPublished(suppressionLists, list._id, list.unpublished);
  return list;

  async function swap(session: Parameters<Parameters<typeof retryTransaction>[1]>[0]) {
    const { suppressionImports } = account.collections;
    const now = account.clock.now();
    const { modifiedCount } = await suppressionImports.updateOne(
      { _id: doc._id, state: 'finishing', swapped_at: { $exists: false } },
      { $set: { swapped_at: now } },
      { session },
    );
    if (modifiedCount === 0) return;
    const { org_id, target_id, name, scope } = doc;
    // The name makes room for the new list; reconcile deletes the entries, and then the list.
    const deleteAt = new Date(Number(now) + OLD_KEPT_MS);
    const old = await suppressionLists.findOneAndUpdate(
      { org_id, target_id, name },
      {
        $set: {
          name: `${name} (replaced by ${doc.list_id})`,
          unpublished: { ...unpublishedNow(account.author), at: deleteAt },
        },
        $min: { removed_at: now },
      },
      { session },
    );
    await suppressionLists.insertOne(
      {
        _id: doc.list_id,
        org_id,
        target_id,
        name,
        scope,
        entries,
        created_at: old?.created_at ?? now,
        uploaded_at: now,
        uploaded_by: uploaderOf(account, old),
        unpublished: mark,
      },
      { session },
    );
  }
}

const uploaderOf = ({ author }: ListAccount, old: SuppressionListDoc | null): string =>
  author?.key?.id ?? author?.person?.id ?? old?.uploaded_by ?? 'import';

const nothingIn = ({ name }: SuppressionImportDoc): AppError =>
  new AppError(
    'action_refused',
    `Nothing in this import is a phone, an email or an MD5: it does not replace the list "${name}", which stays in ` +
      'force. delete_suppression_list deletes a list.',
  );
