import { exportLeads } from '../../../src/api/actions/list/exportLeads.js';
import { search } from '../../../src/api/actions/list/search.js';
import type { ActionContext } from '../../../src/api/actions/action.js';
import { findOrgPings, type OrgPingFilter } from '../../../src/pings/store/pingPages.js';
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
