/** Portals and change requests of two organizations. */
import type { Collections } from '../../../src/app/database.js';
import { before } from '../../support/storedRows.js';

export async function seedPortal({
  portalSettings,
  changeRequests,
}: Pick<Collections, 'portalSettings' | 'changeRequests'>): Promise<void> {
  const at = (n: number) => before(n * 1_000);
  const place = (n: number) => ({
    org_id: n % 2 ? 'org' : 'another',
    side: n % 4 < 2 ? ('buyer' as const) : ('supplier' as const),
    party_id: `party-${n % 20}`,
  });
  await portalSettings.insertMany(
    Array.from({ length: 600 }, (_, n) => ({
      _id: `settings-${n}`,
      ...place(n),
      party_id: `party-${n}`,
      is_enabled: n % 3 === 0,
      created_at: at(n),
      updated_at: at(n),
    })),
  );
  await changeRequests.insertMany(
    Array.from({ length: 2_000 }, (_, n) => ({
      _id: `chg_${String(n).padStart(5, '0')}`,
      ...place(n),
      campaign_id: null,
      before: { status: 'active' as const },
      after: { status: 'paused' as const },
      base_version: 0,
      reason: null,
      state: n % 10 === 1 ? ('pending' as const) : ('approved' as const),
      created_at: at(n),
      requested_by: { kind: 'person' as const, id: 'per_1', name: 'Pat' },
      resolved_at: at(n),
      ...(n % 400 === 1 ? { owed: true as const } : {}),
    })),
  );
}
