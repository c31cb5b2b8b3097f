/** The keys that a supplier posts with. */
import {
  createSupplierKey,
  listSupplierKeys,
  revokeSupplierKey,
  rotateKeyOfSupplier,
  type CreatedSupplierKey,
} from '../../../account/suppliers/supplierKeys.js';
import { keyIdOf } from '../../../account/keys/keys.js';
import type { SupplierKeyDoc } from '../../../account/store/keyDocs.js';
import { ACCESS } from '../../actions/exits.js';
import { definePartnerCall } from '../call.js';
import { CreateKey, ListKeys, RevokeKey, RotateKey } from '../schemas/supplier.js';

const GUARDED = { effect: 'write', guards: 'key_changed', letsOut: [ACCESS] } as const;

export const listKeys = definePartnerCall({
  name: 'list_keys',
  effect: 'read',
  ...ListKeys,
  async run(_input, context) {
    const keys = await listSupplierKeys(context, context.party_id);
    return keys.map(keyView);
  },
});

export const createKey = definePartnerCall({
  name: 'create_key',
  ...GUARDED,
  ...CreateKey,
  async run({ name }, context) {
    return created(await createSupplierKey(context, context.party_id, name));
  },
});

export const rotateKey = definePartnerCall({
  name: 'rotate_key',
  ...GUARDED,
  ...RotateKey,
  async run({ key_id, overlap_hours }, context) {
    const how = { keyId: key_id, overlapHours: overlap_hours };
    return created(await rotateKeyOfSupplier(context, context.party_id, how));
  },
});

export const revokeKey = definePartnerCall({
  name: 'revoke_key',
  ...GUARDED,
  ...RevokeKey,
  async run({ key_id }, context) {
    await revokeSupplierKey(context, context.party_id, key_id);
    return { done: true as const };
  },
});

const created = ({ key, api_key, previousUntil }: CreatedSupplierKey) => ({
  key: keyView(key),
  api_key,
  previous_until: previousUntil,
});

/** Only the previous main key has an end. */
function kindOf({ is_further, expires_at }: SupplierKeyDoc): 'main' | 'previous' | 'additional' {
  if (is_further) return 'additional';
  return expires_at ? 'previous' : 'main';
}

const keyView = (key: SupplierKeyDoc) => ({
  ...key,
  id: keyIdOf(key),
  kind: kindOf(key),
});
