import {
  removeSupplierWebhook,
  findSupplierWebhook,
} from '../../../src/automations/supplierWebhook.js';
import { readLinks } from '../../../src/api/partner/buyer/campaigns.js';
import { linkOf, linksOf } from '../../../src/api/partner/supplier/links.js';
import { listSupplierKeys } from '../../../src/account/suppliers/supplierKeys.js';
import { createSupplierLeads } from '../../../src/leads/store/supplierLeads.js';
import { createPingCountStore } from '../../../src/pings/store/pingCounts.js';
import { findPings } from '../../../src/pings/store/pingPages.js';
import { readLeadDays } from '../../../src/reports/leadDays.js';
import { readSupplierPingDays } from '../../../src/reports/pingReport.js';
import { after, before, NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many } from './seed.js';
import { accountOf } from '../../support/org.js';

const clock = { now: () => NOW, monotonic: () => 0, random: () => 0.5 };
const OWNER = { org_id: 'org', supplier_id: 'supplier' };

/** Queries of a supplier's portal, and of the links that both sides read alike. */
export async function sendSupplierPortal(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const place = { at: NOW, id: '~' };
  for (const after_ of [null, place])
    for (const one of [{}, { campaign_id: 'campaign' }, { from: before(60_000), before: after(1) }])
      await during(`findPings ${Object.keys(one).join(' ')}${after_ ? ', next page' : ''}`, () =>
        findPings(
          collections.pings,
          { ...OWNER, is_test: false, ...one },
          { after: after_, limit: 4 },
        ),
      );
  const leads = createSupplierLeads(collections.leads, OWNER);
  await during('supplierLeads.get', () => leads.get(many('done')));
  await during('supplierLeads.whole', () => leads.whole('done-1'));
  const deps = { collections, clock };
  const days = { orgId: 'org', supplier_id: 'supplier', from: '2026-11-20', to: '2026-11-21' };
  for (const one of [{}, { campaign_id: 'campaign' }]) {
    const name = Object.keys(one).join('');
    await during(`readLeadDays ${name}`, () => readLeadDays(deps, { ...days, ...one }));
    await during(`readSupplierPingDays ${name}`, () =>
      readSupplierPingDays(deps, { ...days, ...one }),
    );
  }
  const counts = createPingCountStore(collections.pingCounts);
  await during('pingCounts.read', () =>
    counts.read({ kind: 'supplier', id: 'supplier', day: '2026-11-21' }, many('campaign')),
  );
  await during('listSupplierKeys', () =>
    listSupplierKeys(
      accountOf({ collections, clock: { now: () => NOW } }, OWNER.org_id),
      OWNER.supplier_id,
    ),
  );
  const context = { collections, org_id: 'org', party_id: 'supplier' };
  await during('linksOf', () => linksOf({ ...context, party_id: 'suppliers-1' }));
  await during('readLinks', () => readLinks({ ...context, party_id: 'buyers-1' }));
  await during('linkOf', () => linkOf(context, 'campaign').catch(() => undefined));
  await during('findSupplierWebhook', () => findSupplierWebhook(collections, OWNER));
  await during('removeSupplierWebhook', () => removeSupplierWebhook(collections, OWNER));
}
