/** Counts and money of the leads of some days, by one property or two, beside those of other days. */
import { z } from 'zod';
import { dayAfter, daysBetween } from '../../../fields/days.js';
import { NO_PINGS } from '../../../pings/rules/rollups.js';
import type { ReportScope } from '../../../reports/reading.js';
import { hasHours, readReport, type GroupBy, type ReportRow } from '../../../reports/report.js';
import { defineAction, type ActionContext } from '../action.js';
import { PEOPLE, type Exit } from '../exits.js';
import { readNames } from '../recordNames.js';
import { invalidField } from '../readInput.js';
import { figuresOf, isRecord, readWithPings, RECORDS, scopeOf } from '../reportFigures.js';
import { figures, pingFigures, pingFiguresOf, scope, span, uncounted } from '../schemas/report.js';
import { groupsOf, type Group } from '../reportGroups.js';

/** Maximum lines; states come from suppliers, who can make up any number of them. */
const LINES = 1_000;
const PAIRS = 3_000;

const DIMENSIONS = [
  'buyer',
  'supplier',
  'campaign',
  'state',
  'status',
  'day',
  'weekday',
  'hour',
] as const satisfies readonly GroupBy[];
const Dimension = z.enum(DIMENSIONS);
const Compared = z.enum(['previous_period', 'last_week']);

const input = z.strictObject({
  ...scope,
  group_by: Dimension.describe('Dimension'),
  then_by: Dimension.optional().describe('A second one'),
  compare: Compared.optional().describe(
    'Also the figures of as many days before, or of the same days a week earlier',
  ),
});
type Input = z.output<typeof input>;

const label = z
  .string()
  .describe('The exact name, state, status, day, weekday (mon) or hour (09); "unknown" without');
const recordIdOrNull = z
  .string()
  .nullable()
  .describe('Id of buyer, supplier or campaign; else null');

const before = z
  .object({ count: figures.count, ...figures.rest })
  .nullable()
  .optional()
  .describe('The compared days; null: none');

/** Of a supplier with one lead on a day, or asked before and after a lead came, the state is that lead's. */
const BY_STATE: Exit<Pick<Input, 'group_by' | 'then_by'>> = {
  ...PEOPLE,
  when: 'it counts by state',
  isFor: ({ group_by, then_by }) => group_by === 'state' || then_by === 'state',
};

export const getLeadBreakdown = defineAction({
  name: 'get_lead_breakdown',
  cli: ['reports', 'breakdown'],
  summary: 'Count leads and money by buyer, supplier, campaign, state, status, day or hour',
  description:
    'The figures of get_lead_stats, broken down by one dimension or two, most leads first, times in their order. By ' +
    'buyer: what each bought; a lead sold to several buyers counts for each, and a lead without a buyer is left out. ' +
    'By status: as leads show it, so the latest outcome of a sold lead is its status. Hours are kept by campaign and ' +
    'supplier, not by buyer or state.',
  permission: 'reports:read',
  letsOut: [BY_STATE],
  input,
  example: {
    date_from: '2026-01-01',
    date_to: '2026-01-31',
    group_by: 'buyer',
  },
  rows: 'breakdown',
  output: z.object({
    ...span,
    breakdown: z
      .array(
        z.object({
          label,
          id: recordIdOrNull,
          then: z
            .object({ label, id: recordIdOrNull })
            .optional()
            .describe('The same of the second dimension'),
          count: figures.count,
          ...figures.rest,
          pings: pingFigures.optional(),
          before,
        }),
      )
      .describe(
        `At most ${LINES}, with then_by ${PAIRS}; pings by buyer, supplier and campaign alone`,
      ),
    lines: z.number().int().describe('Number of lines, including those not shown'),
    is_cut: z.boolean().describe('true: there are more groups than were read'),
    total: z.object({ count: figures.count, ...figures.rest }).describe('All lines together'),
    total_before: before,
    compared: z.object(span).optional().describe('The days that `before` is of'),
    uncounted,
  }),
  async run(asked, context) {
    const { groups, within, compared, ...report } = await readGroups(asked, context);
    const shown = groups.slice(0, asked.then_by ? PAIRS : LINES);
    const nameOf = await readLabels(asked, shown, context);
    return {
      date_from: within.from,
      date_to: within.to,
      breakdown: shown.map(({ key, then, rows, before: earlier }) => ({
        ...nameOf(asked.group_by, key),
        then: asked.then_by && nameOf(asked.then_by, then),
        ...figuresOf(rows),
        pings: report.pingsOf(key),
        before: compared && (earlier ? figuresOf(earlier) : null),
      })),
      lines: groups.length,
      is_cut: report.isCut,
      total: figuresOf(groups.flatMap(({ rows }) => rows)),
      total_before: compared && figuresOf(groups.flatMap(({ before: earlier }) => earlier ?? [])),
      compared: compared && { date_from: compared.from, date_to: compared.to },
      uncounted: report.uncounted,
    };
  },
  async file(asked, context) {
    const { groups, compared } = await readGroups(asked, context);
    const nameOf = await readLabels(asked, groups, context);
    const { group_by, then_by } = asked;
    const names = Object.keys(figuresOf([]));
    return {
      columns: [
        group_by,
        ...(then_by ? [then_by] : []),
        ...names,
        ...(compared ? names.map((name) => `${name}_before`) : []),
      ],
      batches: batchesOf(groups, ({ key, then, rows, before: earlier }) => [
        nameOf(group_by, key).label,
        ...(then_by ? [nameOf(then_by, then).label] : []),
        ...Object.values(figuresOf(rows)),
        ...(compared ? Object.values(figuresOf(earlier ?? [])) : []),
      ]),
    };
  },
});

type Cells = (string | number)[];

/** One batch: the groups are read already, and few. */
async function* batchesOf(
  groups: readonly Group[],
  cellsOf: (group: Group) => Cells,
): AsyncGenerator<Cells[]> {
  yield await Promise.resolve(groups.map(cellsOf));
}

async function readGroups(asked: Input, context: ActionContext) {
  const { group_by, then_by, compare } = asked;
  const within = await scopeOf(asked, context);
  checkDimensions(within, asked);
  const earlier = compare && earlierOf(within, compare);
  const [found, before] = await Promise.all([
    readWithPings(within, group_by, context, then_by),
    earlier && readReport(context, earlier.scope, group_by, then_by),
  ]);
  const withoutBuyer = (rows: readonly ReportRow[]) =>
    rows.filter(
      ({ key, then }) =>
        !(group_by === 'buyer' && key === null) && !(then_by === 'buyer' && then === null),
    );
  const showsPings = isRecord(group_by) && !then_by;
  const groups = groupsOf(
    { rows: withoutBuyer(found.rows), before: before && withoutBuyer(before.rows) },
    { by: group_by, then: then_by, shift: earlier?.days ?? 0 },
    showsPings ? [...found.pings.by.keys()] : [],
  );
  return {
    within,
    compared: earlier?.scope,
    groups,
    uncounted: found.uncounted,
    isCut: found.isCut || (before?.isCut ?? false),
    pingsOf: (key: string | null) =>
      showsPings ? pingFiguresOf(found.pings.by.get(key ?? '') ?? NO_PINGS) : undefined,
  };
}

/** @throws {AppError} `invalid_input` for dimensions that no sums are kept by */
function checkDimensions(within: ReportScope, { group_by, then_by }: Input): void {
  if (then_by === group_by)
    throw invalidField('then_by', 'not_allowed', 'then_by must differ from group_by.');
  const by = [group_by, ...(then_by ? [then_by] : [])];
  if (!by.includes('hour') || hasHours(within, by)) return;
  throw invalidField(
    group_by === 'hour' ? 'group_by' : 'then_by',
    'not_allowed',
    'Hours are kept by campaign and supplier, not by buyer or state. Leave out buyer and state, or the hour.',
  );
}

const DAYS_OF_WEEK = 7;

function earlierOf(within: ReportScope, compare: z.output<typeof Compared>) {
  const days = compare === 'last_week' ? DAYS_OF_WEEK : daysBetween(within.from, within.to);
  const scope = { ...within, from: dayAfter(within.from, -days), to: dayAfter(within.to, -days) };
  return { scope, days };
}

/** The names of the records that groups are of. */
async function readLabels(
  { group_by, then_by }: Input,
  groups: readonly Group[],
  { collections, orgId }: ActionContext,
) {
  const read = async (by: GroupBy | undefined, keys: readonly (string | null)[]) =>
    by && isRecord(by)
      ? await readNames(collections[RECORDS[by]], [...new Set(keys.map((key) => key ?? ''))], orgId)
      : new Map<string, string>();
  const [first, second] = await Promise.all([
    read(
      group_by,
      groups.map(({ key }) => key),
    ),
    read(
      then_by,
      groups.map(({ then }) => then),
    ),
  ]);
  return (by: GroupBy, key: string | null) => ({
    label: (by === group_by ? first : second).get(key ?? '') ?? key ?? 'unknown',
    id: isRecord(by) ? key : null,
  });
}
