import type { PasswordCost } from '../../src/people/security/passwords.js';

/** The least that argon2 allows: a hash takes some microseconds. Tests sign in often, and none is about its cost. */
export const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1 };
