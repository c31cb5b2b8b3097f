/** Reads of several documents, or of several collections, as they were at one point of time. */
import type { ClientSession, Collection, Document } from 'mongodb';

/**
 * Reads without a lock, and without a transaction. The work passes the session with every read: the first one sets the time,
 * which is after every write that was acknowledged before. It writes nothing.
 * @param of any collection of the database
 */
export async function onSnapshot<D extends Document, T>(
  of: Pick<Collection<D>, 'db'>,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = of.db.client.startSession({ snapshot: true });
  try {
    return await work(session);
  } finally {
    await session.endSession();
  }
}
