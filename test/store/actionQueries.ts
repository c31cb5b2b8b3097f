import { findKey } from '../../src/actions/access.js';
import type { ActionContext } from '../../src/actions/action.js';
import { countCall } from '../../src/actions/allowance.js';
import { listAudit } from '../../src/actions/list/audit.js';
import { listBuyers } from '../../src/actions/list/buyers.js';
import { listCampaigns } from '../../src/actions/list/campaigns.js';
import { listApiKeys } from '../../src/actions/list/keys.js';
import { listSuppliers } from '../../src/actions/list/suppliers.js';
import { recountRollups } from '../../src/rollups/recount.js';
import { readReport } from '../../src/rollups/report.js';
import { rollUp } from '../../src/rollups/roll.js';
import { writeCursor } from '../../src/actions/cursor.js';
import { revokeKey } from '../../src/account/keys.js';
import { createKey } from '../../src/auth/keys.js';
import { actionDeps } from '../actions/api.js';
import { before } from './builders.js';
import type { TestDatabase } from './database.js';
import type { Recorder } from './explain.js';

/** What the Actions API sends beside the account's own queries. */
export async function sendActions(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const context: ActionContext = {
    ...actionDeps(collections),
    caller: { org_id: 'org', key_id: 'key', key_name: 'Key', permissions: [] },
  };
  const refused = (work: Promise<unknown>) => work.catch(() => undefined);
  await during('findKey', () => refused(findKey(`Bearer ${createKey('live')}`, collections)));
  await during('countCall', () => countCall(collections.windows, 'hash-1', true));
  for (const action of [listCampaigns, listBuyers, listSuppliers, listApiKeys])
    await during(action.name, () => refused(action.run({}, context)));
  const cursor = writeCursor(before(60_000), 'audit-60');
  for (const input of [{}, { cursor }, { action: 'create_buyer' }])
    await during(`list_audit, ${Object.keys(input).join('')}`, () =>
      listAudit.run({ limit: 20, ...input }, context),
    );
  await during('rollUp', () => rollUp(context, { withinMs: 1_000 }));
  await during('rollUp, of one', () => rollUp(context, { orgId: 'org', withinMs: 1_000 }));
  const days = { orgId: 'org', from: '2026-11-20', to: '2026-11-21' };
  const [campaign, supplier, buyer] = [
    { campaign_id: 'campaign' },
    { supplier_id: 'supplier' },
    { buyer_id: 'buyer-0' },
  ];
  for (const scope of [{}, campaign, supplier, buyer, { ...campaign, ...supplier, ...buyer }])
    for (const group of ['day', 'buyer', 'state'] as const)
      await during(`readReport, ${Object.keys(scope).join('')} by ${group}`, () =>
        readReport(context, { ...days, ...scope }, group),
      );
  await during('recountRollups', () => recountRollups(context));
  await during('revokeKey', () => revokeKey(collections, 'org', 'key-2'));
}
