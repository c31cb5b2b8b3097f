/** Invalid delivery settings, and the problems they cause. */
import { expect } from '@jest/globals';
import { checkDelivery } from '../../../src/account/buyers/delivery.js';
import { AppError } from '../../../src/lib/errors.js';

const fieldNames = ['first_name', 'last_name', 'email', 'zip_code'];
export const everything = { policy: { allowPrivate: false, mail: true, sheets: true }, fieldNames };
export const nothing = { policy: { allowPrivate: false }, fieldNames };

/** Field and message of every problem. */
export function problems(
  input: object,
  context: Parameters<typeof checkDelivery>[1] = everything,
): Record<string, string> {
  try {
    checkDelivery(input, context);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('validation_failed');
    return Object.fromEntries(
      (error.extras.field_errors ?? []).map(({ field, message }) => [field, message]),
    );
  }
  return {};
}
