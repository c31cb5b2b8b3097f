/** The log of posts as CSV. */
import { definePartnerFile } from '../call.js';
import { batchesOf, cellsOf, TestFlag, type Columns } from '../csv.js';
import { PostFilter } from '../schemas/supplierPosts.js';
import { linkOf } from './links.js';
import { findPosts } from './postPages.js';
import type { SupplierPostRow } from './postNames.js';
import { rowsOf } from './posts.js';

export const postsFile = definePartnerFile({
  name: 'posts.csv',
  permits: 'exports',
  input: PostFilter.extend({ is_test: TestFlag }),
  async rows(search, context) {
    if (search.campaign_id !== undefined) await linkOf(context, search.campaign_id);
    const batches = batchesOf(
      (wanted) => findPosts(search, wanted, context),
      async (posts) => (await rowsOf(posts, context)).map((row) => cellsOf(row, COLUMNS)),
    );
    return { head: Object.keys(COLUMNS), batches };
  },
});

const COLUMNS: Columns<SupplierPostRow> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  at: ({ at }) => at,
  campaign: ({ campaign }) => campaign.name,
  campaign_id: ({ campaign }) => campaign.id,
  is_test: ({ is_test }) => is_test,
  http_status: ({ answer }) => answer.http_status,
  answer: ({ answer }) => answer.code,
  reason: ({ reason }) => reason,
  status: ({ status }) => status,
  duplicate_of: ({ duplicate_of }) => duplicate_of,
  ping_id: ({ ping_id }) => ping_id,
  lead_id: ({ lead_id }) => lead_id,
  payout: ({ payout }) => payout,
  buyer: ({ buyer_name }) => buyer_name,
  price: ({ price }) => price,
};
