/** How often a key of the Actions API may call. Operators set it; no key can raise its own limits. */
import { type FieldError, invalidFields } from '../../lib/errors.js';
import { changeRecord } from '../../platform/mongo/changeRecord.js';
import type { AccountContext } from '../context.js';
import { type OrgKeyDoc, CALLS_MAX, DEFAULT_KEY_LIMITS, type KeyLimits } from '../store/keyDocs.js';
import { findOrgKey } from './keys.js';

export const limitsOf = ({ limits }: Pick<OrgKeyDoc, 'limits'>): KeyLimits =>
  limits ?? DEFAULT_KEY_LIMITS;

/**
 * Sets what is given and leaves the rest; it applies from the key's next call on, in every process.
 * @param keyId as lists of keys show it
 * @param changes `null`: the defaults
 * @returns the limits from now on
 * @throws {AppError} `not_found`; `validation_failed` for numbers out of range, or more writes than calls
 */
export async function setKeyLimits(
  account: Pick<AccountContext, 'collections' | 'orgId'>,
  keyId: string,
  changes: Partial<KeyLimits> | null,
): Promise<KeyLimits> {
  const { apiKeys } = account.collections;
  const read = () => findOrgKey(account, keyId);
  if (changes === null) {
    const { _id } = await read();
    await apiKeys.updateOne({ _id }, { $unset: { limits: '' } });
    return DEFAULT_KEY_LIMITS;
  }
  const set = (key: OrgKeyDoc) => {
    const limits = { ...limitsOf(key), ...changes };
    check(limits);
    return { limits };
  };
  return limitsOf(await changeRecord(apiKeys, { read, set }));
}

function check({ calls_per_minute, writes_per_minute }: KeyLimits): void {
  const faults: FieldError[] = [
    ...outOf('calls_per_minute', calls_per_minute, CALLS_MAX),
    ...outOf('writes_per_minute', writes_per_minute, calls_per_minute),
  ];
  if (faults.length > 0) throw invalidFields(faults);
}

function outOf(field: keyof KeyLimits, value: number, most: number): FieldError[] {
  if (Number.isInteger(value) && value >= 1 && value <= most) return [];
  const message = `${field} must be a whole number from 1 to ${most}; it is ${value}.`;
  return [{ field, code: 'out_of_range', message }];
}
