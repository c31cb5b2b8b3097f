import { findKey } from '../../src/actions/access.js';
import type { ActionContext } from '../../src/actions/action.js';
import { countCall } from '../../src/actions/allowance.js';
import { listAudit } from '../../src/actions/list/audit.js';
import { listBuyers } from '../../src/actions/list/buyers.js';
import { listCampaigns } from '../../src/actions/list/campaigns.js';
import { listApiKeys } from '../../src/actions/list/keys.js';
import { listSuppliers } from '../../src/actions/list/suppliers.js';
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
  await during('countCall', () => countCall(collections.windows, { _id: 'hash-1' }, true));
  for (const action of [listCampaigns, listBuyers, listSuppliers, listApiKeys])
    await during(action.name, () => refused(action.run({}, context)));
  const cursor = writeCursor(before(60_000), 'audit-60');
  for (const input of [{}, { cursor }, { action: 'create_buyer' }])
    await during(`list_audit, ${Object.keys(input).join('')}`, () =>
      listAudit.run({ limit: 20, ...input }, context),
    );
  await during('revokeKey', () => revokeKey(collections, 'org', 'key-2'));
}
