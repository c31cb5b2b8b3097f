/** Several documents written together, or not at all. */
import { MongoServerError, type ClientSession, type Collection, type Document } from 'mongodb';
import { AppError, unavailable } from '../../lib/errors.js';
import { isVersionConflict, retryOnConflict, type Retries } from '../../lib/retry.js';

const OPTIONS = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
} as const;

/**
 * Runs the work on one snapshot of the database; what it writes is stored when it ends. The work passes the session
 * with every call.
 * @param of any collection of the database
 * @throws {AppError} `version_conflict` when another caller wrote one of the documents meanwhile: nothing is stored
 */
export async function runTransaction<D extends Document, T>(
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
    throw new AppError('version_conflict', 'It was changed at the same time. Read it again.', {
      cause: error,
    });
  } finally {
    await session.endSession();
  }
}

/** For documents that other callers write often, each for a short time. */
const MANY: Retries = { attempts: 100, pauseMs: 10, pauseMaxMs: 60 };

/**
 * As `runTransaction`, and repeated as long as another caller's write aborts it.
 * @param busy the message when it never succeeds
 * @throws {AppError} `unavailable` then: nothing was stored
 */
export async function retryTransaction<D extends Document, T>(
  of: Pick<Collection<D>, 'db'>,
  work: (session: ClientSession) => Promise<T>,
  busy: string,
): Promise<T> {
  try {
    return await retryOnConflict(() => runTransaction(of, work), MANY);
  } catch (error) {
    throw isVersionConflict(error) ? unavailable(busy) : error;
  }
}

/** The server's label for it; an error of a broken connection has none. */
const isConflict = (error: unknown): boolean =>
  error instanceof MongoServerError && error.hasErrorLabel('TransientTransactionError');
