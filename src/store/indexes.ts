/** Every index, each with the query it serves. Ids serve all other queries. */
import type { CreateIndexesOptions, Db, IndexSpecification } from 'mongodb';

interface IndexRow {
  collection: string;
  key: IndexSpecification;
  options?: CreateIndexesOptions;
  serves: string;
}

const DAY_SECONDS = 86_400;

export const INDEXES: readonly IndexRow[] = [
  {
    collection: 'leads',
    key: { status: 1, created_at: 1 },
    options: { partialFilterExpression: { status: { $in: ['NEW', 'PENDING'] } } },
    serves: 'reconcile: open leads, oldest first; a decided lead leaves the index',
  },
  {
    collection: 'leads',
    key: { campaign_id: 1, keys: 1 },
    serves: 'look-ups and postbacks by phone, email or click id within a campaign',
  },
  {
    collection: 'leads',
    key: { org_id: 1, created_at: -1 },
    serves: 'lists of an organisation, newest first',
  },
  {
    collection: 'deliveries',
    key: { lead_id: 1, n: 1 },
    serves: 'the attempts of a lead, in order',
  },
  {
    collection: 'deliveries',
    key: { buyer_id: 1, state: 1, created_at: -1 },
    options: { partialFilterExpression: { state: { $in: ['parked', 'unknown'] } } },
    serves: "a buyer's queue, newest first; finished rows leave the index",
  },
  {
    collection: 'deliveries',
    key: { buyer_id: 1, state: 1, due_at: 1 },
    options: { partialFilterExpression: { state: { $in: ['parked', 'unknown'] } } },
    serves: "when a buyer's next row may be sent; reconcile: buyers with waiting rows",
  },
  {
    collection: 'deliveries',
    key: { buyer_id: 1, state: 1, expires_at: 1 },
    options: { partialFilterExpression: { state: { $in: ['parked', 'unknown'] } } },
    serves: 'the age limit of waiting rows',
  },
  {
    collection: 'idempotency',
    key: { expires_at: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'forgetting idempotency keys after 24 hours',
  },
  {
    collection: 'rates',
    key: { at: 1 },
    options: { expireAfterSeconds: DAY_SECONDS },
    serves: 'forgetting the allowance of idle keys',
  },
  {
    collection: 'api_keys',
    key: { org_id: 1, kind: 1 },
    serves: 'the keys of an organisation',
  },
  {
    collection: 'campaign_buyers',
    key: { campaign_id: 1 },
    serves: 'compiling a plan: the buyers of a campaign',
  },
  {
    collection: 'campaign_buyers',
    key: { buyer_id: 1 },
    serves: 'publishing a change of a buyer to its campaigns',
  },
  {
    collection: 'campaign_suppliers',
    key: { campaign_id: 1 },
    serves: 'compiling a plan: the suppliers of a campaign',
  },
  {
    collection: 'campaign_suppliers',
    key: { supplier_id: 1 },
    serves: 'publishing a change of a supplier to its campaigns',
  },
  ...['campaigns', 'buyers', 'suppliers'].map((collection) => ({
    collection,
    key: { org_id: 1, name: 1 },
    options: { unique: true },
    serves: 'names are unique per organisation and kind; lists by name',
  })),
];

/** Creates what is missing; safe to run from many processes at once. Needs a patient connection. */
export async function ensureIndexes(db: Db): Promise<void> {
  await Promise.all(
    INDEXES.map(({ collection, key, options }) =>
      db.collection(collection).createIndex(key, options ?? {}, {}),
    ),
  );
}
