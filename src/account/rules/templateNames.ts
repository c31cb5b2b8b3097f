export const EXTRA = 'extra.';

/** Names that no field may have (contract 6.2). */
export const SERVICE_NAMES = [
  'lead_id',
  'campaign_id',
  'buyer_id',
  'is_test',
  'price',
  'ping_reference',
  'created_at',
] as const;

/** Whether a name has a value, given the names of the existing fields. */
export const isValueName = (name: string, fieldNames: readonly string[]): boolean =>
  (SERVICE_NAMES as readonly string[]).includes(name) ||
  (name.startsWith(EXTRA) && name.length > EXTRA.length) ||
  fieldNames.includes(name);
