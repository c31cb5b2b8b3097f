import { expect } from '@jest/globals';
import { createKeyring } from '../../src/platform/security/seal.js';

export const SECRET = 'a secret of the tests, long enough';
export const keyring = createKeyring(SECRET);
export const publicOnly = { allowPrivate: false };

/** An AppError that refuses one value. */
export const refusal = (field: string, message: string) => ({
  code: 'validation_failed',
  extras: { field_errors: [{ field, message: expect.stringContaining(message) }] },
});
