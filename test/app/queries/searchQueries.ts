import { exportLeads } from '../../../src/api/actions/list/exportLeads.js';
import { search } from '../../../src/api/actions/list/search.js';
import type { ActionContext } from '../../../src/api/actions/action.js';
import { findOrgPings, type OrgPingFilter } from '../../../src/pings/store/pingPages.js';
import {
  dropView,
  findSavedView,
  findSavedViews,
  keepView,
} from '../../../src/account/store/savedViews.js';
import { readArrivals } from '../../../src/leads/store/arrivals.js';
import { before } from '../../support/storedRows.js';
import type { Recorder } from './explain.js';

/** Queries of the search, of exports, and of the list of pings. */
export async function sendSearches(
  { during }: Pick<Recorder, 'during'>,
  context: ActionContext,
): Promise<void> {
  const lister = { ...context, orgId: 'lister', caller: { ...context.caller, org_id: 'lister' } };
  const types = ['campaign', 'buyer', 'supplier', 'lead'];
  for (const query of ['15550000005', 'listed.5@example.com', 'Ada Lovelace', 'Ada'])
    await during(`search ${query}`, () => search.run({ query, types, max_results: 20 }, lister));
  for (const query of ['Name 25', '00aa'])
    await during(`search ${query}`, () => search.run({ query, types, max_results: 20 }, context));
  await during('export_leads', async () => {
    const file = await exportLeads.file?.({ is_test: false, limit: 100 }, lister);
    for await (const batch of file?.batches ?? []) if (batch.length === 0) break;
  });
  await sendFollowing({ during }, context);
  const filters: Partial<OrgPingFilter>[] = [
    {},
    { state: 'refused' },
    { campaign_id: 'campaign' },
    { campaign_id: 'campaign', state: 'refused' },
    { supplier_id: 'supplier' },
    { from: before(300 * 60_000) },
  ];
  for (const filter of filters)
    await during(`findOrgPings, ${Object.keys(filter).join(' ')}`, () =>
      findOrgPings(
        context.collections.pings,
        { org_id: 'org', is_test: false, ...filter },
        { after: null, limit: 20 },
      ),
    );
}

/** Of the live feed, and of saved views. */
async function sendFollowing(
  { during }: Pick<Recorder, 'during'>,
  { collections, clock }: ActionContext,
): Promise<void> {
  const after = { at: before(20 * 60_000), id: 'listed-60' };
  const scope = { org_id: 'lister', is_test: false };
  await during('readArrivals', () =>
    readArrivals(collections.leads, { ...scope, after, before: before(0), limit: 20 }),
  );
  const whose = { org_id: 'lister', owner_id: 'per_1' };
  const owner = { kind: 'person' as const, id: 'per_1', name: 'Ana' };
  const view = { org_id: 'lister', screen: 'leads', query: 'status=REJECTED', owner };
  for (const [nth, name] of ['One', 'Two', 'Three'].entries())
    await during('keepView', () =>
      keepView(collections.savedViews, { ...view, name, is_shared: nth === 0 }, clock.now()),
    );
  const found = await findSavedViews(collections.savedViews, whose, 'leads');
  const id = found[0]?._id ?? '';
  await during('findSavedViews', () => findSavedViews(collections.savedViews, whose, 'leads'));
  await during('findSavedView', () => findSavedView(collections.savedViews, whose, id));
  await during('dropView', () => dropView(collections.savedViews, { _id: id, org_id: 'lister' }));
}
