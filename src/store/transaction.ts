/** Several documents written together, or not at all. */
import { MongoServerError, type ClientSession, type Collection, type Document } from 'mongodb';
import { AppError } from '../errors.js';

const OPTIONS = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
} as const;

/**
 * Runs the work on one snapshot of the database; what it writes is stored when it ends. The work passes the session
 * with every call.
 * @param of any collection of the database
 * @throws {AppError} `version_conflict` when somebody else wrote one of the documents meanwhile: nothing is stored
 */
export async function inTransaction<D extends Document, T>(
  of: Pick<Collection<D>, 'db'>,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = of.db.client.startSession();
  try {
    session.startTransaction(OPTIONS);
    const result = await work(session);
    await session.commitTransaction();
    return result;
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    if (!isConflict(error)) throw error;
    throw new AppError('version_conflict', 'It was changed at that moment. Look at it again.', {
      cause: error,
    });
  } finally {
    await session.endSession();
  }
}

/** The server's own word for it; a connection that broke is none. */
const isConflict = (error: unknown): boolean =>
  error instanceof MongoServerError && error.hasErrorLabel('TransientTransactionError');
