/** The log of posts as CSV: each batch is read after the client has taken the one before. */
import { z } from 'zod';
import type { Place } from '../../../platform/mongo/pages.js';
import { definePartnerFile, type Cell, type PartnerContext } from '../call.js';
import { ListPosts } from '../schemas/supplier.js';
import { linkOf } from './links.js';
import { findPosts } from './postPages.js';
import type { SupplierPostRow } from './postNames.js';
import { rowsOf } from './posts.js';

const BATCH_ROWS = 500;

const query = ListPosts.input.omit({ cursor: true }).extend({
  is_test: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});
type Asked = z.output<typeof query>;

export const postsFile = definePartnerFile({
  name: 'posts.csv',
  permits: 'exports',
  input: query,
  async rows(asked, context) {
    if (asked.campaign_id !== undefined) await linkOf(context, asked.campaign_id);
    return { head: Object.keys(COLUMNS), batches: batchesOf(asked, context) };
  },
});

const COLUMNS: Record<string, (row: SupplierPostRow) => Cell> = {
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

const cellsOf = (row: SupplierPostRow): Cell[] => Object.values(COLUMNS).map((of) => of(row));

async function* batchesOf(asked: Asked, context: PartnerContext): AsyncGenerator<Cell[][]> {
  let after: Place | null = null;
  do {
    const { next, ...found } = await findPosts(asked, { after, limit: BATCH_ROWS }, context);
    yield (await rowsOf(found, context)).map(cellsOf);
    after = next;
  } while (after);
}
