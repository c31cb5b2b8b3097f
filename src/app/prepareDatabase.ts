import type { Log } from '../lib/log.js';
import { connectMongo } from '../platform/mongo/connect.js';
import { ensureIndexes } from './ensureIndexes.js';

/** With many leads it makes the indexes of their lists while the process serves; `stop` leaves them to MongoDB. */
export async function prepareDatabase(
  database: { uri: string; database: string },
  log: Log,
): Promise<{ stop: () => Promise<void> }> {
  const patient = await connectMongo({ ...database, patient: true });
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    return patient.close();
  };
  try {
    const { inBackground } = await ensureIndexes(patient.db);
    void inBackground
      .catch((err: unknown) => {
        if (!isStopping)
          log.error({ err }, 'indexes of leads could not be created; the next start tries again');
      })
      .finally(stop);
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
