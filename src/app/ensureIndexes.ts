/** Makes the indexes that a database lacks, without keeping anybody waiting. */
import type { Db } from 'mongodb';
import type { IndexRow } from '../platform/mongo/indexRow.js';
import { INDEXES } from './indexes.js';
import { LEAD_LIST_INDEXES, SUPERSEDED_LEAD_INDEX } from '../leads/store/leadIndexes.js';

/** Over more leads than this, the indexes of lists are made while the process serves: some seconds a million. */
const MADE_AT_ONCE_MAX = 50_000;
const DAY_MS = 86_400_000;

/**
 * Creates what is missing; safe to run from many processes at once. Needs a patient connection. All of a collection
 * are created by one command: on a new database each command is a change of the catalogue, and waits for the disk.
 * @returns once nothing is missing that a lead needs. `inBackground` goes on: over many leads the indexes of their lists
 * are still being made, and what they replace is dropped. MongoDB takes writes meanwhile, and goes on without us.
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
  // Whoever waits for it hears of it; whoever does not, finds the indexes missing at the next start.
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

/** Only when what replaces it is so old: until then processes of the release before may still read by it. */
async function dropSuperseded(db: Db, keptMs: number): Promise<void> {
  const leads = db.collection('leads');
  const nameOf = (key: object) => Object.entries(key).flat().join('_');
  const superseded = nameOf(SUPERSEDED_LEAD_INDEX);
  // How old an index is a user may read only by a right of its own: most installations need it once, or never.
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
