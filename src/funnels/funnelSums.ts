/** What the funnels of a page have brought in some days, side by side. */
import { dayAfter, startOfDay } from '../fields/days.js';
import { SOLD_STATUSES } from '../leads/rules/leadStatus.js';
import type { LeadCollections } from '../leads/store/collections.js';
import { inTimeLimit } from '../platform/mongo/databaseErrors.js';
import { inOrder, type StatsScope, type StepFigures } from './funnelStats.js';
import { isStep, type Block } from './rules/blocks.js';
import type { FunnelCollections } from './store/collections.js';
import type { FunnelDoc } from './store/funnelDocs.js';

export interface FunnelSums {
  views: number;
  submits: number;
  /** Null: too many to count in time, as of `accepted`. */
  leads: number | null;
  accepted: number | null;
  /** In the order of the draft, then steps that it no longer has. */
  steps: (StepFigures & { title?: string })[];
}

type Scope = Pick<StatsScope, 'orgId' | 'from' | 'to' | 'timeZone'>;
type Read = Pick<LeadCollections & FunnelCollections, 'leads' | 'funnels' | 'funnelCounts'>;

/** Milliseconds after which the leads are not counted: a list is shown without them. */
const LEADS_WITHIN_MS = 800;

/** By funnel, those without a count or a lead too. Test leads are not counted. */
export async function readFunnelSums(
  collections: Read,
  ids: readonly string[],
  scope: Scope,
): Promise<Map<string, FunnelSums>> {
  if (ids.length === 0) return new Map();
  const [counts, results, blocks] = await Promise.all([
    readCounts(collections, ids, scope),
    readResults(collections, ids, scope),
    readBlocks(collections, ids),
  ]);
  return new Map(
    ids.map((id) => {
      const { views = 0, submits = 0, steps = [] } = counts.get(id) ?? {};
      const drawn = blocks.get(id) ?? [];
      const titles = new Map(drawn.filter(isStep).map((step) => [step.id, step.title]));
      const none = results ? 0 : null;
      const { leads, accepted } = results?.get(id) ?? { leads: none, accepted: none };
      const ordered = inOrder(steps, { blocks: drawn });
      return [
        id,
        {
          views,
          submits,
          leads,
          accepted,
          steps: ordered.map((one) => ({ ...one, title: titles.get(one.step) })),
        },
      ];
    }),
  );
}

interface Counts {
  views: number;
  submits: number;
  steps: { _id: string; shown: number; done: number }[];
}

async function readCounts(
  { funnelCounts }: Read,
  ids: readonly string[],
  { from, to }: Scope,
): Promise<Map<string, Counts>> {
  const rows = funnelCounts.find(
    { funnel_id: { $in: [...ids] }, day: { $gte: from, $lte: to } },
    { projection: { _id: 0, funnel_id: 1, views: 1, submits: 1, steps: 1 } },
  );
  const sums = new Map<string, Counts>();
  const steps = new Map<string, Map<string, Counts['steps'][number]>>();
  for await (const row of rows) {
    const sum = sums.get(row.funnel_id) ?? { views: 0, submits: 0, steps: [] };
    const ofFunnel = steps.get(row.funnel_id) ?? new Map<string, Counts['steps'][number]>();
    sums.set(row.funnel_id, sum);
    steps.set(row.funnel_id, ofFunnel);
    sum.views += row.views;
    sum.submits += row.submits;
    for (const [step, { shown = 0, done = 0 }] of Object.entries(row.steps)) {
      const before = ofFunnel.get(step) ?? { _id: step, shown: 0, done: 0 };
      ofFunnel.set(step, { _id: step, shown: before.shown + shown, done: before.done + done });
    }
  }
  for (const [id, ofFunnel] of steps) sums.get(id)?.steps.push(...ofFunnel.values());
  return sums;
}

interface Results {
  leads: number;
  accepted: number;
}

/** Null where there are too many to count in time. */
async function readResults(
  { leads }: Read,
  ids: readonly string[],
  { orgId, from, to, timeZone }: Scope,
): Promise<Map<string, Results> | null> {
  const pipeline = [
    {
      $match: {
        'origin.funnel_id': { $in: [...ids] },
        created_at: { $gte: startOfDay(from, timeZone), $lt: startOfDay(dayAfter(to), timeZone) },
        org_id: orgId,
        is_test: false,
        // Withdrawn: it was answered 503, and there is no such lead.
        status: { $ne: 'WITHDRAWN' as const },
      },
    },
    {
      $group: {
        _id: '$origin.funnel_id',
        leads: { $sum: 1 },
        accepted: { $sum: { $cond: [{ $in: ['$status', SOLD_STATUSES] }, 1, 0] } },
      },
    },
  ];
  const found = await inTimeLimit(() =>
    leads.aggregate<Results & { _id: string }>(pipeline, { maxTimeMS: LEADS_WITHIN_MS }).toArray(),
  );
  return found && new Map(found.map(({ _id, ...results }) => [_id, results]));
}

/** The blocks of the drafts, with what names a step. */
async function readBlocks(
  { funnels }: Read,
  ids: readonly string[],
): Promise<Map<string, Block[]>> {
  const found = await funnels
    .find<Pick<FunnelDoc, '_id' | 'definition'>>(
      { _id: { $in: [...ids] } },
      {
        projection: {
          'definition.blocks.id': 1,
          'definition.blocks.type': 1,
          'definition.blocks.title': 1,
        },
      },
    )
    .toArray();
  return new Map(found.map(({ _id, definition }) => [_id, definition.blocks]));
}
