/** Makes the indexes that a database lacks, without making requests wait. */
import type { Db } from 'mongodb';
import type { IndexRow } from '../platform/mongo/indexRow.js';
import { INDEXES } from './indexes.js';
import { LEAD_LIST_INDEXES, SUPERSEDED_LEAD_INDEX } from '../leads/store/leadIndexes.js';
import type { Log } from '../lib/log.js';
import { connectMongo } from '../platform/mongo/connect.js';

/** Over more leads than this, the indexes of lists are made while the process serves: some seconds a million. */
const MADE_AT_ONCE_MAX = 50_000;
const DAY_MS = 86_400_000;

/** Makes missing indexes; with many leads those of their lists while the process serves. `stop` leaves them to MongoDB. */
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

/**
 * Creates missing indexes; safe to run from many processes at once. Needs a patient connection. One command creates all
 * of a collection: on a new database each command changes the catalog, and waits for the disk.
 * @returns once every index that a lead needs exists. `inBackground` goes on: with many leads it still makes the
 * indexes of their lists, and then drops superseded ones. MongoDB takes writes meanwhile, and continues without this
 * process.
 */
export async function ensureIndexes(
  db: Db,
  { madeAtOnceMax = MADE_AT_ONCE_MAX, keptMs = DAY_MS } = {},
): Promise<{ inBackground: Promise<void> }> {
  const leads = await db.collection('leads').estimatedDocumentCount();
  const isLarge = leads > madeAtOnceMax;
  const later: ReadonlySet<IndexRow> = new Set(isLarge ? LEAD_LIST_INDEXES : []);
  await create(
    db,
    INDEXES.filter((row) => !later.has(row)),
  );
  const inBackground = create(db, [...later]).then(() => dropSuperseded(db, keptMs));
  // A caller that awaits it gets the error; otherwise the next start makes the missing indexes.
  inBackground.catch(() => undefined);
  return { inBackground };
}

async function create(db: Db, rows: readonly IndexRow[]): Promise<void> {
  const byCollection = [...Map.groupBy(rows, ({ collection }) => collection)];
  await Promise.all(
    byCollection.map(([collection, some]) =>
      db
        .collection(collection)
        .createIndexes(some.map(({ key, options }) => ({ key, ...options }))),
    ),
  );
}

/**
 * Only when the replacing indexes are this old: until then processes of the previous release may still read by it.
 * @until 0.3
 */
async function dropSuperseded(db: Db, keptMs: number): Promise<void> {
  const leads = db.collection('leads');
  const nameOf = (key: object) => Object.entries(key).flat().join('_');
  const superseded = nameOf(SUPERSEDED_LEAD_INDEX);
  // The age of an index needs a privilege of its own, so it is read only where there is an index to drop.
  if (!(await leads.indexes()).some(({ name }) => name === superseded)) return;
  const stats = await leads
    .aggregate<{ name: string; accesses: { since: Date } }>([{ $indexStats: {} }])
    .toArray();
  const names = new Set(LEAD_LIST_INDEXES.map(({ key }) => nameOf(key)));
  const ages = stats
    .filter(({ name }) => names.has(name))
    .map(({ accesses }) => Date.now() - Number(accesses.since));
  if (ages.length === names.size && Math.min(...ages) >= keptMs) await leads.dropIndex(superseded);
}
