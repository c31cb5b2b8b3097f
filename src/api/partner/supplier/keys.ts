/** The keys that a supplier posts with. */
import { z } from 'zod';
import {
  createSupplierKey,
  kindOfKey,
  listSupplierKeys,
  revokeSupplierKey,
  rotateKeyOfSupplier,
  type CreatedSupplierKey,
} from '../../../account/suppliers/supplierKeys.js';
import { keyIdOf } from '../../../account/keys/keys.js';
import type { SupplierKeyDoc } from '../../../account/store/keyDocs.js';
import { ACCESS } from '../../actions/exits.js';
import { definePartnerCall } from '../call.js';
import { orNull, Instant, NoInput, Done } from '../schemas/shared.js';
import { OverlapHours } from '../../../account/overlapSchema.js';

const SupplierKey = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first characters; null for a key older than this field. */
  prefix: orNull(z.string()),
  /** main: the one of the posting guide; it can be rotated, but not revoked. */
  kind: z.enum(['main', 'previous', 'additional']),
  created_at: Instant,
  /** The key is refused after this. */
  expires_at: orNull(Instant),
  /** To a minute; null: not since uses are recorded. */
  last_used_at: orNull(Instant),
});

/** The key is shown this once. */
const NewSupplierKey = z.object({
  key: SupplierKey,
  api_key: z.string(),
  /** The previous key is accepted until then, too. */
  previous_until: orNull(Instant),
});

const key_id = z.string().min(1).max(100);

const GUARDED = { effect: 'write', guards: 'key_changed', letsOut: [ACCESS] } as const;

export const listKeys = definePartnerCall({
  name: 'list_keys',
  effect: 'read',
  input: NoInput,
  output: z.array(SupplierKey),
  async run(_input, context) {
    const keys = await listSupplierKeys(context, context.party_id);
    return keys.map(keyView);
  },
});

export const createKey = definePartnerCall({
  name: 'create_key',
  ...GUARDED,
  input: z.strictObject({ name: z.string().trim().min(1).max(120) }),
  output: NewSupplierKey,
  async run({ name }, context) {
    return created(await createSupplierKey(context, context.party_id, name));
  },
});

export const rotateKey = definePartnerCall({
  name: 'rotate_key',
  ...GUARDED,
  input: z.strictObject({ key_id, overlap_hours: OverlapHours }),
  output: NewSupplierKey,
  async run({ key_id, overlap_hours }, context) {
    const how = { keyId: key_id, overlapHours: overlap_hours };
    return created(await rotateKeyOfSupplier(context, context.party_id, how));
  },
});

export const revokeKey = definePartnerCall({
  name: 'revoke_key',
  ...GUARDED,
  input: z.strictObject({ key_id }),
  output: Done,
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

const keyView = (key: SupplierKeyDoc) => ({
  ...key,
  id: keyIdOf(key),
  kind: kindOfKey(key),
});
