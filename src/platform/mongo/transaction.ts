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

/** Others write the same documents often, and each is soon done. */
const MANY: Retries = { attempts: 100, pauseMs: 10, pauseMaxMs: 60 };

/**
 * As `runTransaction`, and begun anew as long as another caller's write undoes it.
 * @param busy what is said when it never comes through
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

/** The server's own word for it; a connection that broke is none. */
const isConflict = (error: unknown): boolean =>
  error instanceof MongoServerError && error.hasErrorLabel('TransientTransactionError');
