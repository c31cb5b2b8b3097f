/** Audit records of two organizations. */
import type { Collections } from '../../../src/app/database.js';
import { before } from '../../support/storedRows.js';

/** One in ten entries is of a portal, one in fifty of that of one buyer. */
const callerOf = (n: number) =>
  n % 10 === 3
    ? {
        person: { id: n % 50 === 3 ? 'per_pat' : `per_${n}`, name: 'Pat' },
        party: { kind: 'buyer' as const, id: n % 50 === 3 ? 'buyer' : `buyer-${n}` },
      }
    : { key_id: n % 20 === 1 ? 'key' : `key-${n}`, key_name: 'Key' };

export async function seedAudit(collections: Collections): Promise<void> {
  const entries = Array.from({ length: 2_000 }, (_, n) => ({
    _id: `audit-${n}`,
    org_id: n % 2 ? 'org' : 'another',
    at: before(n * 1_000),
    ...callerOf(n),
    action: n % 20 === 1 ? 'create_buyer' : 'update_buyer',
    input: {},
    records: [n % 40 === 1 ? 'buyers-1' : `record-${n}`],
  }));
  await collections.auditReads.insertMany(entries.map((one) => ({ ...one })));
  await collections.audit.insertMany(entries.map((one) => ({ ...one, outcome: 'done' as const })));
}
