/** Keys of suppliers, and of an organization. */
import type { Collections } from '../../../src/app/database.js';
import { before, NOW } from '../../support/storedRows.js';

const account = { org_id: 'org', created_at: NOW };
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export const seedKeys = ({ apiKeys }: Pick<Collections, 'apiKeys'>): Promise<unknown> =>
  Promise.all([
    apiKeys.insertMany(
      times(1_000, (n) => ({
        ...account,
        _id: `hash-${n}`,
        name: 'key',
        kind: 'supplier',
        supplier_id: `suppliers-${n}`,
      })) as never[],
    ),
    apiKeys.insertMany(
      times(10, (n) => ({
        ...account,
        created_at: before(n),
        _id: `org-hash-${n}`,
        id: `key-${n}`,
        name: 'Key',
        kind: 'org' as const,
        permissions: [],
      })),
    ),
  ]);
