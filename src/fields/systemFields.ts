/** The fields every campaign has. */
import type { FieldRule } from './fieldRule.js';

/** Required of every lead, whatever a mapping says (contract 2.3). */
export const IDENTITY_FIELDS: readonly string[] = ['first_name', 'last_name', 'email', 'phone'];

/** Routing, duplicates and lookups rely on the form of these. */
export const FIXED_TYPES: readonly string[] = ['email', 'phone', 'state'];

/** Values that the service itself gives a buyer with each lead: no field has one of these names (contract 6.2). */
export const SERVICE_NAMES = [
  'lead_id',
  'campaign_id',
  'buyer_id',
  'is_test',
  'price',
  'ping_reference',
  'created_at',
] as const;

const named = (name: string, label: string): FieldRule => ({
  name,
  label,
  type: 'String',
  required: IDENTITY_FIELDS.includes(name),
  ping_required: false,
  max_length: 200,
  transforms: ['trim'],
});

/** The system fields of a new campaign, in the order in which they are shown (contract 2.3). */
export const SYSTEM_FIELDS: FieldRule[] = [
  named('first_name', 'First name'),
  named('last_name', 'Last name'),
  { name: 'email', label: 'Email', type: 'Email', required: true, ping_required: false },
  { name: 'phone', label: 'Phone', type: 'Phone', required: true, ping_required: false },
  { name: 'state', label: 'State', type: 'State', required: false, ping_required: false },
  {
    name: 'zip_code',
    label: 'Zip code',
    type: 'Zip / Postal Code',
    required: false,
    ping_required: false,
  },
  named('source', 'Source'),
];
