/** The figures of a funnel: the counts of its pages, and the results of its leads. */
import type { Document } from 'mongodb';
import { dayAfter, startOfDay } from '../fields/days.js';
import type { Micros } from '../fields/money.js';
import { SOLD_STATUSES } from '../leads/rules/leadStatus.js';
import { SUSPECT_REASONS, type SuspectReason } from '../leads/rules/origin.js';
import { unavailable } from '../lib/errors.js';
import { inTimeLimit } from '../platform/mongo/databaseErrors.js';
import { isStep } from './rules/blocks.js';
import type { FunnelDefinition } from './rules/definition.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { FunnelCollections } from './store/collections.js';

/** Maximum days of one report. */
export const STATS_DAYS_MAX = 92;
/** Sources that are listed, those with the most views first. */
const SOURCES_MAX = 100;
const READING_MS = 5_000;

export interface StatsScope {
  orgId: string;
  funnelId: string;
  /** YYYY-MM-DD in the account's time zone, both included; at most 92 days. */
  from: string;
  to: string;
  timeZone: string;
  /** Only this version. */
  version?: number;
}

/** Figures count no test leads. */
export interface FunnelFigures {
  views: number;
  /** Pages on which the visitor began to answer. */
  starts: number;
  /** Forms that were sent and had no fault. */
  submits: number;
  /** Leads that were made, whatever their result. */
  leads: number;
  accepted: number;
  revenue: Micros;
}

export interface StepFigures {
  step: string;
  shown: number;
  /** How often the visitor went on from it. */
  done: number;
}

export interface FunnelStats extends FunnelFigures {
  suspects: Record<SuspectReason, number>;
  /** In the order of the definition, then steps that it no longer has. */
  steps: StepFigures[];
  /** Every day, those without a view too. */
  days: (FunnelFigures & { day: string })[];
  sources: (FunnelFigures & { source: string })[];
}

const NONE: FunnelFigures = { views: 0, starts: 0, submits: 0, leads: 0, accepted: 0, revenue: 0 };
const FIGURES = Object.keys(NONE) as (keyof FunnelFigures)[];

/**
 * @param definition lists the steps that come first
 * @throws {AppError} `unavailable` when counting takes too long
 */
export async function getFunnelStats(
  collections: Pick<LeadCollections & FunnelCollections, 'leads' | 'funnelCounts'>,
  scope: StatsScope,
  definition: FunnelDefinition,
): Promise<FunnelStats> {
  const [counted, sold] = await Promise.all([
    readCounts(collections, scope),
    readResults(collections, scope),
  ]);
  const byDay = Map.groupBy([...counted.days, ...sold.days], ({ _id }) => _id);
  const bySource = Map.groupBy([...counted.sources, ...sold.sources], ({ _id }) => _id);
  const days: FunnelStats['days'] = [];
  for (let day = scope.from; day <= scope.to; day = dayAfter(day))
    days.push({ day, ...sum(byDay.get(day) ?? []) });
  return {
    ...sum(days),
    suspects: suspectsOf(counted.suspects),
    steps: inOrder(counted.steps, definition),
    days,
    sources: [...bySource]
      .map(([source, rows]) => ({ source, ...sum(rows) }))
      .toSorted((a, b) => b.views - a.views || b.leads - a.leads)
      .slice(0, SOURCES_MAX),
  };
}

function sum(rows: readonly Partial<FunnelFigures>[]): FunnelFigures {
  const total = { ...NONE };
  for (const row of rows) for (const name of FIGURES) total[name] += row[name] ?? 0;
  return total;
}

/** The counts, or the results, of one day or source. */
type FiguresRow = Partial<FunnelFigures> & { _id: string };

interface Counting {
  days: FiguresRow[];
  sources: FiguresRow[];
  steps: { _id: string; shown: number; done: number }[];
  suspects: { _id: string; count: number }[];
}

async function readCounts(
  { funnelCounts }: Pick<FunnelCollections, 'funnelCounts'>,
  { funnelId, from, to, version }: StatsScope,
): Promise<Counting> {
  const sums = {
    views: { $sum: '$views' },
    starts: { $sum: '$starts' },
    submits: { $sum: '$submits' },
  };
  const entries = (key: string): Document[] => [
    { $project: { entry: { $objectToArray: { $ifNull: [`$${key}`, {}] } } } },
    { $unwind: '$entry' },
  ];
  const pipeline = [
    { $match: { funnel_id: funnelId, day: { $gte: from, $lte: to }, version } },
    {
      $facet: {
        days: [{ $group: { _id: '$day', ...sums } }],
        sources: [
          { $group: { _id: '$source', ...sums } },
          { $sort: { views: -1 } },
          { $limit: SOURCES_MAX },
        ],
        steps: [
          ...entries('steps'),
          {
            $group: {
              _id: '$entry.k',
              shown: { $sum: '$entry.v.shown' },
              done: { $sum: '$entry.v.done' },
            },
          },
        ],
        suspects: [
          ...entries('suspects'),
          { $group: { _id: '$entry.k', count: { $sum: '$entry.v' } } },
        ],
      },
    },
  ];
  const [counted] = await inTime(() =>
    funnelCounts.aggregate<Counting>(pipeline, { maxTimeMS: READING_MS }).toArray(),
  );
  return counted ?? { days: [], sources: [], steps: [], suspects: [] };
}

type Selling = Pick<Counting, 'days' | 'sources'>;

async function readResults(
  { leads }: Pick<LeadCollections, 'leads'>,
  { orgId, funnelId, from, to, timeZone, version }: StatsScope,
): Promise<Selling> {
  const sums = {
    leads: { $sum: 1 },
    accepted: { $sum: { $cond: [{ $in: ['$status', SOLD_STATUSES] }, 1, 0] } },
    revenue: { $sum: '$price' },
  };
  const day = { $dateToString: { date: '$created_at', format: '%Y-%m-%d', timezone: timeZone } };
  const pipeline = [
    {
      $match: {
        'origin.funnel_id': funnelId,
        created_at: {
          $gte: startOfDay(from, timeZone),
          $lt: startOfDay(dayAfter(to), timeZone),
        },
        org_id: orgId,
        is_test: false,
        // Withdrawn: it was answered 503, and there is no such lead.
        status: { $ne: 'WITHDRAWN' as const },
        'origin.version': version,
      },
    },
    {
      $facet: {
        days: [{ $group: { _id: day, ...sums } }],
        sources: [
          { $group: { _id: '$origin.source', ...sums } },
          { $sort: { leads: -1 } },
          { $limit: SOURCES_MAX },
        ],
      },
    },
  ];
  const [sold] = await inTime(() =>
    leads.aggregate<Selling>(pipeline, { maxTimeMS: READING_MS }).toArray(),
  );
  return sold ?? { days: [], sources: [] };
}

async function inTime<T>(read: () => Promise<T>): Promise<T> {
  const found = await inTimeLimit(read);
  if (found !== null) return found;
  throw unavailable('These days have too many leads to count in time. Ask for fewer days.');
}

const suspectsOf = (counted: Counting['suspects']): FunnelStats['suspects'] =>
  Object.fromEntries(
    SUSPECT_REASONS.map((reason) => [
      reason,
      counted.find(({ _id }) => _id === reason)?.count ?? 0,
    ]),
  ) as FunnelStats['suspects'];

/** The steps of a definition in its order, then counted ones that it no longer has. */
export function inOrder(
  counted: Counting['steps'],
  { blocks }: Pick<FunnelDefinition, 'blocks'>,
): StepFigures[] {
  const present = blocks.filter(isStep).map(({ id }) => id);
  const gone = counted.map(({ _id }) => _id).filter((step) => !present.includes(step));
  return [...present, ...gone.toSorted()].map((step) => {
    const { shown = 0, done = 0 } = counted.find(({ _id }) => _id === step) ?? {};
    return { step, shown, done };
  });
}
