/** What is used and left of caps and budgets. */
import { z } from 'zod';
import { CAP_SCOPES, CAP_WINDOWS } from '../../../account/rules/capLimits.js';
import { fromMicros } from '../../../fields/money.js';
import type { Found } from '../../../platform/mongo/pages.js';
import { readCapUsage, type CapFilter, type CapUsageRow } from '../../../routing/readCapUsage.js';
import { shareUsed } from '../../../routing/rules/capUsage.js';
import { defineList, type ActionContext } from '../action.js';
import { requireNamed } from '../leadFilter.js';
import { readRowNames, RowNames } from '../rowNames.js';
import { id, Instant, orNull, recordId } from '../schemas/common.js';
import { readTimeZone } from '../../../account/orgs.js';

const WINDOWS = CAP_WINDOWS.map(({ window }) => window) as [
  (typeof CAP_WINDOWS)[number]['window'],
  ...(typeof CAP_WINDOWS)[number]['window'][],
];

/** From this share on a cap is nearly full. */
export const NEARLY_FULL = 0.8;

const Count = z.number().describe('Leads, or money in the currency of the account');

const CapRow = z.object({
  scope: z.enum(CAP_SCOPES).describe('Whose limit it is; of a buyer or supplier: in the campaign'),
  campaign_id: recordId('campaign'),
  buyer_id: orNull(z.string()).describe('Id of the buyer; null: not a limit of a buyer'),
  supplier_id: orNull(z.string()).describe('Id of the supplier; null: not a limit of a supplier'),
  window: z.enum(WINDOWS).describe("By the clock of the account's time zone; total never ends"),
  of: z.enum(['count', 'budget']).describe('count: leads. budget: money'),
  limit: Count,
  used: Count.describe('What routing compares with the limit, including held'),
  held: Count.describe('The part of used that deliveries in flight reserve'),
  left: Count,
  used_pct: z.number().describe('used in percent of limit; above 100 where the limit was lowered'),
  resets_at: orNull(Instant).describe('When the window ends; null: never'),
  ...RowNames,
});

export const getCapUsage = defineList({
  name: 'get_cap_usage',
  cli: ['caps', 'list'],
  summary: 'Show what is used and left of caps and budgets',
  description:
    'Every cap and budget that is set, with what is used, held and left in its window now. The numbers are those that ' +
    'routing compares. A row for each limit of a campaign, and of its buyers and suppliers, the oldest campaign first.',
  permission: 'campaigns:read',
  filters: {
    campaign_id: id('campaign').optional(),
    buyer_id: id('buyer').optional().describe('Only the limits of this buyer'),
    supplier_id: id('supplier').optional().describe('Only the limits of this supplier'),
    nearly_full: z
      .boolean()
      .default(false)
      .describe(`true: only limits of which ${NEARLY_FULL * 100} % or more is used`),
  },
  example: { nearly_full: true },
  output: z.array(CapRow),
  async find({ nearly_full, ...named }, context, wanted) {
    const filter = { org_id: context.orgId, ...named };
    const least = nearly_full ? NEARLY_FULL : 0;
    const page = await findRows(filter, wanted, least, context);
    // An unknown name has no limits either.
    if (page.docs.length === 0 && wanted.after === null) {
      const { campaign_id, buyer_id, supplier_id } = named;
      await requireNamed({ campaign_id, buyer_id, supplier_id }, context);
    }
    return page;
  },
  async show(rows, context) {
    const namesOf = await readRowNames(context, rows);
    return rows.map((row) => ({ ...rowView(row), ...namesOf(row) }));
  },
});

/** Batches of campaigns that one page reads at most: a page of the few limits that are nearly full may be short. */
const BATCHES_MAX = 25;

async function findRows(
  filter: CapFilter,
  { after, limit }: { after: CapUsageRow['place'] | null; limit: number },
  least: number,
  { collections, orgId, clock }: ActionContext,
): Promise<Found<CapUsageRow>> {
  const timeZone = await readTimeZone(collections, orgId);
  const docs: CapUsageRow[] = [];
  let [batches, read] = [0, after];
  for await (const rows of readCapUsage(collections, { filter, timeZone, after }, clock.now())) {
    docs.push(...rows.filter((row) => shareUsed(row) >= least));
    read = rows.at(-1)?.place ?? read;
    batches += 1;
    if (docs.length > limit) return { docs: docs.slice(0, limit), next: placeOf(docs, limit) };
    if (batches === BATCHES_MAX) return { docs, next: read };
  }
  return { docs, next: null };
}

const placeOf = (docs: readonly CapUsageRow[], limit: number) => docs[limit - 1]?.place ?? null;

function rowView({ campaign_name: _name, place: _place, ...row }: CapUsageRow) {
  const shown = row.of === 'budget' ? fromMicros : (count: number) => count;
  return {
    ...row,
    limit: shown(row.limit),
    used: shown(row.used),
    held: shown(row.held),
    left: shown(row.left),
    used_pct: Math.round(shareUsed(row) * 1_000) / 10,
  };
}
