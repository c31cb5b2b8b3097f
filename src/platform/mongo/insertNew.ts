import type { Collection, Document, OptionalUnlessRequiredId } from 'mongodb';
import { failedInserts } from './failedInserts.js';

/** Inserts the documents whose ids do not exist yet. Repeating it changes nothing. */
export async function insertNew<T extends Document>(
  collection: Collection<T>,
  docs: readonly OptionalUnlessRequiredId<T>[],
): Promise<void> {
  if (docs.length === 0) return;
  try {
    await collection.insertMany([...docs], { ordered: false });
  } catch (error) {
    failedInserts(error, docs);
  }
}
