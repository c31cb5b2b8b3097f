/** Leads and claims on a database of the test file's own. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { createClaimStore, type ClaimStore } from '../../../src/leads/store/claims.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { aLead } from '../../support/storedRows.js';

export const WINDOW_DAYS = 30;

/** To be called in a `describe`: it opens the database before its tests, and drops it after them. */
export function openClaims() {
  let database: TestDatabase;
  let claims: ClaimStore;
  let made = 0;
  beforeAll(async () => {
    database = await openDatabase();
    claims = createClaimStore(database.collections);
  });
  afterAll(() => database.drop());
  return {
    get database() {
      return database;
    },
    get claims() {
      return claims;
    },
    aClaim: () => `campaign:phone:${++made}`,
    /** Stores leads, and returns their ids. */
    stored: async (count: number, overrides: Partial<Lead> = {}): Promise<string[]> => {
      const leads = Array.from({ length: count }, () => aLead(overrides));
      await database.collections.leads.insertMany(leads);
      return leads.map(({ _id }) => _id);
    },
    request: (claim_id: string, lead_id: string) => ({
      claim_id,
      lead_id,
      window_days: WINDOW_DAYS,
    }),
    holderOf: async (claimId: string) =>
      (await database.collections.claims.findOne({ _id: claimId }))?.lead_id,
  };
}
