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
  side: 'supplier',
  permits: 'exports',
  input: query,
  async rows(asked, context) {
    if (asked.campaign_id !== undefined) await linkOf(context, asked.campaign_id);
    return { head: HEAD, batches: batchesOf(asked, context) };
  },
});

const HEAD = [
  'id',
  'kind',
  'at',
  'campaign',
  'campaign_id',
  'is_test',
  'http_status',
  'answer',
  'reason',
  'status',
  'duplicate_of',
  'ping_id',
  'lead_id',
  'payout',
  'buyer',
  'price',
];

const cellsOf = (row: SupplierPostRow): Cell[] => [
  row.id,
  row.kind,
  row.at,
  row.campaign.name,
  row.campaign.id,
  row.is_test,
  row.answer.http_status,
  row.answer.code,
  row.reason,
  row.status,
  row.duplicate_of,
  row.ping_id,
  row.lead_id,
  row.payout,
  row.buyer_name,
  row.price,
];

async function* batchesOf(asked: Asked, context: PartnerContext): AsyncGenerator<Cell[][]> {
  let after: Place | null = null;
  do {
    const { next, ...found } = await findPosts(asked, { after, limit: BATCH_ROWS }, context);
    yield (await rowsOf(found, context)).map(cellsOf);
    after = next;
  } while (after);
}
