/** Leads: lists, the state of one, and how it was decided. */
import { z } from 'zod';
import type { Lead } from '../../../leads/rules/lead.js';
import { AppError } from '../../../lib/errors.js';
import { findLeads } from '../../../leads/store/leadPages.js';
import { createLeadSearch } from '../../../leads/store/searchLeads.js';
import { defineAction, definePagedAction, type ActionContext } from '../action.js';
import { PEOPLE } from '../exits.js';
import { leadFilterInput, readLeadFilter, requireNamed } from '../leadFilter.js';
import { shownStatus } from '../../../leads/rules/shownStatus.js';
import { leadRow, leadView, PEOPLE_OF_A_LEAD, trailStep } from '../leadViews.js';
import { pageInput, pageOf } from '../paging.js';
import { readRowNames } from '../rowNames.js';
import { id } from '../schemas/common.js';
import { LeadRow, LeadView, RelatedLead, ShownStatusName, TrailView } from '../schemas/lead.js';

const lead_id = id('lead');
const EXAMPLE_ID = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';

export const getLeads = definePagedAction({
  name: 'get_leads',
  cli: ['leads', 'list'],
  summary: 'List leads',
  description:
    'Leads that match all filters given, newest first. Live leads by default; is_test selects test leads. Every page ' +
    'except the last is full.',
  permission: 'leads:read',
  letsOut: [
    { ...PEOPLE, parts: PEOPLE_OF_A_LEAD.map((part) => `leads.${part}`) },
    {
      ...PEOPLE,
      when: 'phone, email, click_id or search is given',
      isFor: ({ phone, email, click_id, search }) =>
        [phone, email, click_id, search].some((value) => value !== undefined),
    },
  ],
  hides: ['search'],
  input: z.strictObject({ ...leadFilterInput, ...pageInput }),
  example: {
    campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
    status: 'ACCEPTED',
    date_from: '2026-11-01',
    date_to: '2026-11-30',
    limit: 20,
  },
  output: z.object({
    leads: z.array(LeadRow).describe('One page, the newest lead first'),
    next_cursor: z
      .string()
      .nullable()
      .describe('cursor of the next page, or null; the same as next_cursor next to data'),
  }),
  async run({ limit, cursor, ...wanted }, context) {
    const { collections } = context;
    const filter = await readLeadFilter(wanted, context);
    const page = await pageOf(
      'get_leads',
      { limit, cursor },
      async (place) => (await findLeads(collections.leads, filter, place)) ?? refuseRare(wanted),
    );
    // An unknown name has no leads either; a deleted one may have some.
    if (page.data.length === 0 && cursor === undefined) await requireNamed(wanted, context);
    const { data, next_cursor } = page;
    const namesOf = await readRowNames(context, data);
    const leads = data.map((lead) => ({ ...leadRow(lead), ...namesOf(lead) }));
    return { data: { leads, next_cursor }, next_cursor };
  },
});

/** @throws {AppError} `action_refused`: with these filters together the page cannot be found in time */
export function refuseRare(wanted: object): never {
  const named = Object.entries(wanted)
    .filter(([key, value]) => value !== undefined && key !== 'is_test')
    .map(([key]) => key);
  throw new AppError(
    'action_refused',
    `The search for the few leads that match ${named.join(', ')} together would read too many leads. Ask for fewer ` +
      'days (date_from and date_to), or leave one of them out.',
  );
}

export const getLead = defineAction({
  name: 'get_lead',
  cli: ['leads', 'get'],
  summary: 'Show a lead',
  description: 'The current state of a lead: its fields, its buyers, its revenue and its cost.',
  permission: 'leads:read',
  letsOut: [
    { ...PEOPLE, parts: ['name', 'state', 'zip_code', 'fields', 'extra', 'sales.note', 'trail'] },
  ],
  input: z.strictObject({
    lead_id,
    include_trail: z
      .boolean()
      .default(false)
      .describe('Include the trail: how the lead was decided'),
    include_related: z.boolean().default(false).describe('Include other leads of the same person'),
  }),
  example: { lead_id: EXAMPLE_ID, include_trail: true },
  output: LeadView.extend({
    trail: TrailView.optional().describe('With include_trail'),
    related: z
      .array(RelatedLead)
      .optional()
      .describe('With include_related: up to 20, newest first, by phone or email'),
  }),
  async run(input, context) {
    const lead = await findLead(input.lead_id, context);
    const trail = input.include_trail ? lead.trail.map(trailStep) : undefined;
    const [namesOf, related] = await Promise.all([
      readRowNames(context, [lead, ...lead.sales]),
      input.include_related ? readRelated(lead, context) : undefined,
    ]);
    const view = leadView(lead);
    return {
      ...view,
      ...namesOf(lead),
      sales: view.sales.map((sale) => ({ ...sale, buyer_name: namesOf(sale).buyer_name })),
      workflow_url: context.workflowUrl(lead._id),
      trail,
      related,
    };
  },
});

const RELATED_MAX = 20;
/** Keys that identify a person. */
const OF_PERSON = /^(?:phone|email):/;

/** Other leads of the same person; none where there are too many to look through. */
async function readRelated(lead: Lead, { collections, orgId }: ActionContext) {
  const keys = lead.keys.filter((key) => OF_PERSON.test(key));
  if (keys.length === 0) return [];
  const search = createLeadSearch(collections.leads, { org_id: orgId, limit: RELATED_MAX + 1 });
  const found = (await search.byKeys(keys)) ?? [];
  return found
    .filter(({ _id }) => _id !== lead._id)
    .slice(0, RELATED_MAX)
    .map((one) => ({ id: one._id, created_at: one.created_at, status: shownStatus(one) }));
}

export const getLeadDistributionTrail = defineAction({
  name: 'get_lead_distribution_trail',
  cli: ['leads', 'get-trail'],
  summary: 'Show how a lead was decided',
  description:
    'Every step of a lead in order: filters, lists, duplicates, the buyers it was sent to or that were passed over and why, with the ' +
    'values compared and each answer.',
  permission: 'leads:read',
  letsOut: [PEOPLE],
  input: z.strictObject({ lead_id }),
  example: { lead_id: EXAMPLE_ID },
  output: z.object({
    lead_id: z.string().describe('The lead'),
    status: ShownStatusName,
    trail: TrailView.describe('Its steps, in order'),
    trail_dropped: z
      .number()
      .int()
      .describe('Number of entries omitted in the middle of a very long trail'),
  }),
  async run(input, context) {
    const lead = await findLead(input.lead_id, context);
    return {
      lead_id: lead._id,
      status: shownStatus(lead),
      trail: lead.trail.map(trailStep),
      trail_dropped: lead.trail_dropped ?? 0,
    };
  },
});

/** @throws {AppError} `not_found` when the organization has no such lead */
export async function findLead(
  leadId: string,
  { collections, caller }: Pick<ActionContext, 'collections' | 'caller'>,
): Promise<Lead> {
  const lead = await collections.leads.findOne({ _id: leadId, org_id: caller.org_id });
  if (lead) return lead;
  throw new AppError('not_found', `There is no lead ${leadId}.`);
}
