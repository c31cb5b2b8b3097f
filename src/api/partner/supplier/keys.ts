/** The keys that a supplier posts with. */
import {
  createSupplierKey,
  listSupplierKeys,
  revokeSupplierKey,
  rotateKeyOfSupplier,
  supplierKeyId,
  type CreatedSupplierKey,
  type KeyOwner,
} from '../../../account/suppliers/supplierKeys.js';
import type { SupplierKeyDoc } from '../../../account/store/keyDocs.js';
import { ACCESS } from '../../actions/exits.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { CreateKey, ListKeys, RevokeKey, RotateKey } from '../schemas/supplier.js';

const ownerOf = ({ org_id, party_id: supplier_id }: PartnerContext): KeyOwner => ({
  org_id,
  supplier_id,
});

const GUARDED = {
  side: 'supplier',
  effect: 'write',
  needs: 'admin',
  guards: 'key_changed',
} as const;

export const listKeys = definePartnerCall({
  name: 'list_keys',
  side: 'supplier',
  effect: 'read',
  ...ListKeys,
  async run(_input, context) {
    const { collections, clock } = context;
    const keys = await listSupplierKeys(collections, ownerOf(context), clock.now());
    return keys.map(keyView);
  },
});

export const createKey = definePartnerCall({
  name: 'create_key',
  ...GUARDED,
  letsOut: [ACCESS],
  ...CreateKey,
  async run({ name }, context) {
    const { collections, clock } = context;
    return created(await createSupplierKey(collections, ownerOf(context), name, clock.now()));
  },
});

export const rotateKey = definePartnerCall({
  name: 'rotate_key',
  ...GUARDED,
  letsOut: [ACCESS],
  ...RotateKey,
  async run({ key_id, overlap_hours }, context) {
    const { collections, keyring, clock } = context;
    const how = { keyId: key_id, overlapHours: overlap_hours, now: clock.now() };
    return created(await rotateKeyOfSupplier(collections, keyring, ownerOf(context), how));
  },
});

export const revokeKey = definePartnerCall({
  name: 'revoke_key',
  ...GUARDED,
  letsOut: [ACCESS],
  ...RevokeKey,
  async run({ key_id }, context) {
    const { collections, clock } = context;
    await revokeSupplierKey(collections, ownerOf(context), key_id, clock.now());
    return { done: true as const };
  },
});

const created = ({ key, api_key, previousUntil }: CreatedSupplierKey) => ({
  key: keyView(key),
  api_key,
  previous_until: previousUntil?.toISOString() ?? null,
});

/** Only the previous main key has an end. */
function kindOf({ is_further, expires_at }: SupplierKeyDoc): 'main' | 'previous' | 'additional' {
  if (is_further) return 'additional';
  return expires_at ? 'previous' : 'main';
}

const keyView = (key: SupplierKeyDoc) => ({
  id: supplierKeyId(key),
  name: key.name,
  prefix: key.prefix ?? null,
  kind: kindOf(key),
  created_at: key.created_at.toISOString(),
  expires_at: key.expires_at?.toISOString() ?? null,
});
