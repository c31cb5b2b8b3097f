import { supplierKeyPlace } from '../rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import type { AccountContext } from '../context.js';
import type { SupplierDoc } from '../store/accountDocs.js';
import type { SupplierKeyDoc } from '../store/keyDocs.js';
import { createKey, hashKey } from '../../platform/security/keys.js';
import { keyPrefix } from '../keys/keys.js';
import { AppError } from '../../lib/errors.js';
import { definedOnly } from '../../lib/defined.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { changeRecord } from '../../platform/mongo/changeRecord.js';
import { publishForSupplier } from '../plans/publish.js';
import { checkRateLimit, LEAD_RATE, PING_RATE } from '../rateLimit.js';
import type { InputOf } from '../settings/settingsTable.js';
import { SUPPLIER } from '../settings/supplierSettings.js';
import { checkName, refuseTakenName } from '../values.js';
import { markPublished, unpublishedNow, bumpVersion } from '../plans/unpublished.js';

export interface SupplierInput extends InputOf<typeof SUPPLIER> {
  name: string;
}

export interface CreatedSupplier {
  supplier: SupplierDoc;
  /** The key that the supplier sends as x-api-key. */
  api_key: string;
}

const BUSY = 'Too many suppliers are created at the same time; nothing was stored. Call again.';

/**
 * Creates a supplier with its key (contract 3.6), in one transaction: a supplier that exists has a key that is accepted.
 * @throws {AppError} `validation_failed` for a bad value or a taken name
 */
export async function createSupplier(
  account: Pick<AccountContext, 'collections' | 'orgId' | 'keyring' | 'clock'>,
  input: SupplierInput,
): Promise<CreatedSupplier> {
  const { collections, orgId, keyring, clock } = account;
  const apiKey = createKey('live');
  const _id = randomUUID();
  const supplier: SupplierDoc = {
    _id,
    org_id: orgId,
    name: checkName(input.name),
    ...SUPPLIER.defaults,
    ...SUPPLIER.read(input),
    api_key: keyring.seal(apiKey, supplierKeyPlace(_id)),
    created_at: clock.now(),
  };
  await refuseTakenName('supplier', supplier.name, () =>
    retryTransaction(
      collections.suppliers,
      async (session) => {
        await collections.suppliers.insertOne(supplier, { session });
        await activateSupplierKey(account, supplier, apiKey, session);
      },
      BUSY,
    ),
  );
  return { supplier, api_key: apiKey };
}

/**
 * Makes the supplier's main key valid. Repeating it changes nothing, so it also repairs a supplier whose
 * creation an earlier release left unfinished.
 */
export async function activateSupplierKey(
  { collections, clock }: Pick<AccountContext, 'collections' | 'clock'>,
  supplier: SupplierDoc,
  apiKey: string,
  session?: ClientSession,
): Promise<void> {
  const { _id: supplier_id, org_id, name } = supplier;
  const { _id, ...key } = supplierKeyDoc(apiKey, { org_id, supplier_id, name }, clock.now());
  const options = { upsert: true, session };
  await collections.apiKeys.updateOne({ _id }, { $setOnInsert: key }, options);
  await bumpVersion(collections, org_id, session);
}

/** A new key as it is stored: by its hash alone. */
export const supplierKeyDoc = (
  apiKey: string,
  owner: Pick<SupplierKeyDoc, 'org_id' | 'supplier_id' | 'name'>,
  created_at: Date,
): SupplierKeyDoc => ({
  _id: hashKey(apiKey),
  id: randomUUID(),
  prefix: keyPrefix(apiKey),
  kind: 'supplier',
  ...owner,
  created_at,
});

/**
 * Sets what is given, leaves the rest, and publishes the supplier's campaigns. Of changes at once none is lost, not even
 * within one limit.
 * @throws {AppError} `not_found`, or `validation_failed` for a bad value or a taken name
 */
export async function updateSupplier(
  account: Pick<AccountContext, 'collections' | 'orgId' | 'author'>,
  supplierId: string,
  changes: Partial<SupplierInput>,
): Promise<SupplierDoc> {
  const { collections, orgId, author } = account;
  const unpublished = unpublishedNow(author);
  const changed = await refuseTakenName('supplier', changes.name?.trim() ?? '', () =>
    changeRecord(collections.suppliers, {
      read: () => findSupplier(account, supplierId),
      set: (current) => checkChanges(current, changes),
      marks: { unpublished },
      where: { removed_at: { $exists: false } },
    }),
  );
  await publishForSupplier({ collections, author }, supplierId);
  await bumpVersion(collections, orgId);
  await markPublished(collections.suppliers, supplierId, unpublished);
  return changed;
}

/** The changes as the supplier stores them. */
const checkChanges = (current: SupplierDoc, changes: Partial<SupplierInput>) =>
  definedOnly({
    ...SUPPLIER.read(changes, {
      rate_limit: (given) => checkRateLimit(LEAD_RATE, given, current.rate_limit),
      ping_rate_limit: (given) => checkRateLimit(PING_RATE, given, current.ping_rate_limit),
    }),
    // The operator sets this status: from then on only the operator resumes the supplier.
    paused_by: changes.status && null,
    name: changes.name === undefined ? undefined : checkName(changes.name),
  });

/**
 * Removes the supplier and its links; its key is refused from now on, its leads stay (contract 3.6). An interrupted
 * call can be repeated, and `reconcile` finishes it.
 * @throws {AppError} `not_found` when the organization has no such supplier
 */
export async function deleteSupplier(account: Deleting, supplierId: string): Promise<void> {
  const { collections, orgId, clock, author } = account;
  const marked = await collections.suppliers.updateOne(
    { _id: supplierId, org_id: orgId },
    { $min: { removed_at: clock.now() }, $set: { unpublished: unpublishedNow(author) } },
  );
  if (marked.matchedCount === 0) throw supplierNotFound(supplierId);
  await finishDeletion(account, supplierId);
}

type Deleting = Pick<AccountContext, 'collections' | 'orgId' | 'clock' | 'author'>;

/** Finishes the removal of a marked supplier. Its record is deleted last: until then this can be repeated. */
export async function finishDeletion(
  { collections, orgId, clock, author }: Deleting,
  supplierId: string,
): Promise<void> {
  await collections.apiKeys.updateMany(
    { org_id: orgId, kind: 'supplier', supplier_id: supplierId, revoked_at: { $exists: false } },
    { $set: { revoked_at: clock.now() } },
  );
  await collections.automations.updateMany(
    { org_id: orgId, supplier_id: supplierId },
    { $set: { status: 'paused' } },
  );
  // Publishing may take long, or fail, so every process refuses the key before it.
  await bumpVersion(collections, orgId);
  await publishForSupplier({ collections, author }, supplierId);
  await collections.campaignSuppliers.deleteMany({ supplier_id: supplierId, org_id: orgId });
  await collections.suppliers.deleteOne({ _id: supplierId, org_id: orgId });
  await bumpVersion(collections, orgId);
}

/**
 * A supplier that is being deleted counts as absent.
 * @throws {AppError} `not_found` when the organization has no such supplier
 */
export async function findSupplier(
  { collections, orgId }: Pick<AccountContext, 'collections' | 'orgId'>,
  supplierId: string,
): Promise<SupplierDoc> {
  const supplier = await collections.suppliers.findOne({ _id: supplierId, org_id: orgId });
  if (supplier && !supplier.removed_at) return supplier;
  throw supplierNotFound(supplierId);
}

export const supplierNotFound = (supplierId: string): AppError =>
  new AppError('not_found', `There is no supplier ${supplierId}.`);
