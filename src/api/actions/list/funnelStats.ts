/** The figures of a funnel, and the consents of the visitors behind its leads. */
import { readTimeZone } from '../../../account/orgs.js';
import { z } from 'zod';
import { dayAfter, daysBetween } from '../../../fields/days.js';
import { fromMicros } from '../../../fields/money.js';
import { windowKeys } from '../../../fields/windowKeys.js';
import { findConsent } from '../../../funnels/submit/consent.js';
import { findFunnel } from '../../../funnels/funnels.js';
import {
  getFunnelStats,
  STATS_DAYS_MAX,
  type FunnelFigures,
} from '../../../funnels/funnelStats.js';
import { isStep } from '../../../funnels/rules/blocks.js';
import { defineAction } from '../action.js';
import { PEOPLE } from '../exits.js';
import { percentOf, stepView } from '../funnelViews.js';
import { invalidField } from '../readInput.js';
import { ConsentRecord, FunnelStatsView } from '../schemas/funnel.js';
import { id } from '../schemas/common.js';

const DAYS_DEFAULT = 30;

export const getFunnelStatsAction = defineAction({
  name: 'get_funnel_stats',
  cli: ['funnels', 'stats'],
  summary: 'Show what a funnel has brought',
  description:
    'Views, starts, submits, leads, revenue, and how many visitors leave at each step; by day and by source. Days ' +
    "are in the account's time zone. Test leads are not counted.",
  permission: 'funnels:read',
  input: z.strictObject({
    funnel_id: id('funnel'),
    date_from: z.iso
      .date()
      .optional()
      .describe("The first day, in the account's time zone; default: 30 days up to date_to"),
    date_to: z.iso
      .date()
      .optional()
      .describe(`The last day, inclusive, at most ${STATS_DAYS_MAX} days in all; default: today`),
    version: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Only what visitors of this published version did'),
  }),
  example: {
    funnel_id: 'fun_3f9a60c17a3d4a539a510f2b',
    date_from: '2026-11-01',
    date_to: '2026-11-30',
  },
  output: FunnelStatsView,
  async run({ funnel_id, date_from, date_to, version }, context) {
    const { collections, orgId, clock } = context;
    const timeZone = await readTimeZone(collections, orgId);
    const to = date_to ?? windowKeys(clock.now(), timeZone).day;
    const from = date_from ?? dayAfter(to, 1 - DAYS_DEFAULT);
    requireSpan(from, to);
    const { name, definition } = await findFunnel(context, funnel_id);
    const scope = { orgId, funnelId: funnel_id, from, to, timeZone, version };
    const { suspects, steps, days, sources, ...figures } = await getFunnelStats(
      collections,
      scope,
      definition,
    );
    const titles = new Map(definition.blocks.filter(isStep).map((step) => [step.id, step.title]));
    return {
      funnel_id,
      name,
      date_from: from,
      date_to: to,
      ...inCurrency(figures),
      conversion_pct: percentOf(figures.accepted, figures.views),
      suspects,
      steps: steps.map((one) => stepView({ ...one, title: titles.get(one.step) })),
      days: days.map(({ day, ...of }) => ({ date: day, ...inCurrency(of) })),
      sources: sources.map(({ source, ...of }) => ({ source, ...inCurrency(of) })),
    };
  },
});

function requireSpan(from: string, to: string): void {
  const days = daysBetween(from, to);
  if (days >= 1 && days <= STATS_DAYS_MAX) return;
  const rule =
    days < 1
      ? `must not be after date_to (${to})`
      : `must be at most ${STATS_DAYS_MAX} days before the day after date_to (${to})`;
  throw invalidField('date_from', 'out_of_range', `date_from ${rule}.`);
}

const inCurrency = ({ revenue, ...counts }: FunnelFigures) => ({
  ...counts,
  revenue: fromMicros(revenue),
});

export const getConsentRecord = defineAction({
  name: 'get_consent_record',
  cli: ['leads', 'consent'],
  summary: 'Show the consent behind a lead',
  description:
    'What the visitor of a funnel agreed to before the lead was made: the exact text, when, from which address, on ' +
    'which version of which page, and what was answered. Records are never changed.',
  permission: 'leads:read',
  letsOut: [PEOPLE],
  input: z.strictObject({ lead_id: id('lead') }),
  example: { lead_id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10' },
  output: ConsentRecord,
  async run({ lead_id }, context) {
    const record = await findConsent(context, lead_id);
    return { ...record, id: record._id, lead_id };
  },
});
