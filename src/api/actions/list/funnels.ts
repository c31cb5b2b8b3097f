/** Funnels: hosted lead forms, from a template to a page that visitors see. */
import { z } from 'zod';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import {
  createFunnel,
  findFunnel,
  getWholeFunnel,
  listFunnels,
  readWholeFunnels,
  updateFunnel,
  type ListedFunnel,
  type WholeFunnel,
} from '../../../funnels/funnels.js';
import { FunnelDefinition } from '../../../funnels/rules/definition.js';
import { TEMPLATE_LANGUAGES } from '../../../funnels/rules/templates/names.js';
import { describeTemplates } from '../../../funnels/rules/templates/templateOf.js';
import type { Found } from '../../../platform/mongo/pages.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { funnelRows, funnelSums, funnelView } from '../funnelViews.js';
import { normalizeInput } from '../normalizeInput.js';
import { id, NewName } from '../schemas/common.js';
import {
  ChangedFunnel,
  Definition,
  DEFINITION_BODY_MAX,
  FunnelRow,
  FunnelStatusWord,
  FunnelSumsView,
  FunnelView,
  TemplateRow,
  TemplateWord,
} from '../schemas/funnel.js';

const funnel_id = id('funnel');
const EXAMPLE_ID = 'fun_3f9a60c17a3d4a539a510f2b';
const EXAMPLE_CAMPAIGN = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
const EXAMPLE_SUPPLIER = '0f7c0c5e-8a7b-4d8e-9b55-5c1f0a3d2e61';
const slug = z
  .string()
  .max(60)
  .optional()
  .describe('The end of its address, /f/ and this, of a-z, 0-9 and -; unique in the installation');

export const listFunnelTemplates = defineAction({
  name: 'list_funnel_templates',
  cli: ['funnels', 'templates'],
  summary: 'List the templates of funnels',
  description:
    'What create_funnel can begin from. Each is a complete page: its texts, colors and questions are then changed ' +
    'with update_funnel.',
  permission: 'funnels:read',
  input: z.strictObject({}),
  example: {},
  output: z.array(TemplateRow),
  run: () =>
    Promise.resolve(
      describeTemplates('en').map(({ template, name, description }) => ({
        name: template,
        title: name,
        description,
        languages: [...TEMPLATE_LANGUAGES],
      })),
    ),
});

export const listFunnelsAction = defineList({
  name: 'list_funnels',
  cli: ['funnels', 'list'],
  summary: 'List funnels',
  description:
    'Every funnel of the organization, newest first; with whole also its definition, with its pictures as data: addresses.',
  permission: 'funnels:read',
  filters: {
    status: FunnelStatusWord.optional().describe('Only those with this status'),
    campaign_id: id('campaign').optional().describe('Only those of this campaign'),
    whole: z
      .boolean()
      .default(false)
      .describe(
        'true: each with its definition. A page may then be shorter than its limit; next_cursor goes on',
      ),
    stats: z.boolean().default(false).describe('true: each with its figures of 7 days'),
  },
  example: { status: 'published' },
  output: z.array(
    FunnelRow.extend({
      definition: FunnelView.shape.definition.optional(),
      stats: FunnelSumsView.optional().describe('Its figures; absent unless stats is true'),
    }),
  ),
  async find({ whole, stats: isSummed, ...filter }, context, wanted) {
    if (filter.campaign_id !== undefined) await findCampaign(context, filter.campaign_id);
    const found = await listFunnels(context, filter, wanted);
    const page = whole ? await upToWhole(found, context) : found;
    const ids = page.docs.map(({ _id }) => _id);
    const stats = isSummed ? await funnelSums(ids, context) : null;
    return {
      ...page,
      docs: page.docs.map((funnel) => ({ funnel, stats: stats?.get(funnel._id) })),
    };
  },
  async show(found: readonly Summed[], context) {
    const rows = await funnelRows(
      found.map(({ funnel }) => funnel),
      context,
    );
    return rows.map((row, n) => ({
      ...row,
      definition: found[n]?.funnel.definition,
      stats: found[n]?.stats,
    }));
  },
});

interface Summed {
  funnel: WholeFunnel;
  stats?: z.input<typeof FunnelSumsView>;
}

/** A page with definitions ends where it becomes too long. */
async function upToWhole(
  found: Found<ListedFunnel>,
  context: ActionContext,
): Promise<Found<WholeFunnel>> {
  const docs = await readWholeFunnels(context, found.docs);
  const last = docs.at(-1);
  if (!last || docs.length === found.docs.length) return { ...found, docs };
  return { docs, next: { at: last.created_at, id: last._id } };
}

export const getFunnelAction = defineAction({
  name: 'get_funnel',
  cli: ['funnels', 'get'],
  summary: 'Show a funnel',
  description:
    'A funnel with the definition of its draft, to be changed and sent to update_funnel, and the address of its preview.',
  permission: 'funnels:read',
  // The preview may be opened without signing in, and shows what is not published.
  shows: { parts: ['preview_url'], permission: 'funnels:write' },
  input: z.strictObject({
    funnel_id,
    pictures: z
      .boolean()
      .default(false)
      .describe(
        'With its pictures as data: addresses, for another account, instead of their names',
      ),
  }),
  example: { funnel_id: EXAMPLE_ID },
  output: FunnelView,
  async run({ funnel_id: funnelId, pictures }, context) {
    const find = pictures ? getWholeFunnel : findFunnel;
    return funnelView(await find(context, funnelId), context);
  },
});

export const createFunnelAction = defineAction({
  name: 'create_funnel',
  cli: ['funnels', 'create'],
  summary: 'Create a funnel',
  description:
    'Creates a draft from a template, with a question for each field that the campaign requires. Its leads go to the ' +
    'campaign in the name of the supplier, which must be linked to it. preview_url shows it; visitors see it once it ' +
    'is published.',
  permission: 'funnels:write',
  input: z.strictObject({
    template: TemplateWord.describe('What to begin from'),
    campaign_id: id('campaign'),
    supplier_id: id('supplier'),
    name: NewName.optional().describe('Unique among funnels; default: made of the campaign'),
    slug,
    language: z.enum(TEMPLATE_LANGUAGES).default('en').describe('Of the texts of the template'),
  }),
  example: { template: 'quiz', campaign_id: EXAMPLE_CAMPAIGN, supplier_id: EXAMPLE_SUPPLIER },
  output: ChangedFunnel,
  async run(input, context) {
    const { funnel, warnings } = await createFunnel(context, input);
    return { ...(await funnelView(funnel, context)), warnings };
  },
});

export const updateFunnelAction = defineAction({
  name: 'update_funnel',
  cli: ['funnels', 'update'],
  summary: 'Change the draft of a funnel',
  description:
    'Replaces the whole definition: read it with get_funnel, change it, send all of it. It is checked against the ' +
    'fields of the campaign, and every fault is named with its place. Visitors see it after publish_funnel. A new ' +
    'name or slug holds at once; the slug of a published funnel cannot change.',
  idempotent: true,
  permission: 'funnels:write',
  bodyMax: DEFINITION_BODY_MAX,
  input: z.strictObject({
    funnel_id,
    definition: Definition.optional(),
    name: NewName.optional(),
    slug,
    expected_version: z
      .number()
      .int()
      .optional()
      .describe('Refuse the change unless the draft has this version'),
  }),
  example: { funnel_id: EXAMPLE_ID, name: 'Spring campaign', expected_version: 3 },
  output: ChangedFunnel,
  async run({ funnel_id: funnelId, definition, ...changes }, context) {
    // null is absent, as in every input; the schema of a definition takes any value.
    const given =
      definition == null
        ? changes
        : { ...changes, definition: normalizeInput(FunnelDefinition, definition) };
    const { funnel, warnings } = await updateFunnel(context, funnelId, given);
    return { ...(await funnelView(funnel, context)), warnings };
  },
});
