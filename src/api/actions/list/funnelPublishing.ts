/** Publishes funnels for visitors, takes them offline, deletes them. */
import { z } from 'zod';
import { embedCode, liveUrl } from '../../../funnels/address.js';
import { deleteFunnel } from '../../../funnels/funnels.js';
import { publishFunnel, unpublishFunnel } from '../../../funnels/publish.js';
import { defineAction } from '../action.js';
import { funnelRow } from '../funnelViews.js';
import { id, recordId } from '../schemas/common.js';
import { FunnelRow, PublishedFunnel } from '../schemas/funnel.js';

const funnel_id = id('funnel');
const EXAMPLE_ID = 'fun_3f9a60c17a3d4a539a510f2b';

export const publishFunnelAction = defineAction({
  name: 'publish_funnel',
  cli: ['funnels', 'publish'],
  summary: 'Publish a funnel',
  description:
    'Shows the draft to visitors at live_url, as a new version; a visitor who has begun an earlier one finishes it ' +
    'within 24 hours. The draft must suit the campaign as it is now. A change of the campaign that would break a ' +
    'published funnel is refused from then on.',
  idempotent: true,
  reachesOut: true,
  permission: 'funnels:write',
  input: z.strictObject({ funnel_id }),
  example: { funnel_id: EXAMPLE_ID },
  output: PublishedFunnel,
  async run(input, context) {
    const { caller, funnels } = context;
    const { funnel, warnings } = await publishFunnel(context, input.funnel_id, caller.actor);
    const [site, row] = [funnels.url(), await funnelRow(funnel, context)];
    return {
      ...row,
      live_url: liveUrl(site, funnel.slug),
      embed_code: embedCode(site, funnel.slug),
      warnings,
    };
  },
});

export const unpublishFunnelAction = defineAction({
  name: 'unpublish_funnel',
  cli: ['funnels', 'unpublish'],
  summary: 'Take a funnel offline',
  description:
    'Visitors see that it is closed, and can no longer send answers. Draft, versions, figures and consent ' +
    'records stay; publish_funnel opens it again.',
  idempotent: true,
  permission: 'funnels:write',
  input: z.strictObject({ funnel_id }),
  example: { funnel_id: EXAMPLE_ID },
  output: FunnelRow,
  run: async (input, context) =>
    funnelRow(await unpublishFunnel(context, input.funnel_id), context),
});

export const deleteFunnelAction = defineAction({
  name: 'delete_funnel',
  cli: ['funnels', 'delete'],
  summary: 'Delete a funnel',
  description:
    'Removes a funnel and its figures; a published one must be taken offline first (unpublish_funnel). Its address ' +
    'is free again. Leads and consent records stay.',
  effect: 'destroy',
  permission: 'funnels:write',
  input: z.strictObject({ funnel_id }),
  example: { funnel_id: EXAMPLE_ID },
  output: z.object({
    id: recordId('funnel'),
    deleted: z.literal(true).describe('Always true'),
  }),
  async run(input, context) {
    await deleteFunnel(context, input.funnel_id);
    return { id: input.funnel_id, deleted: true as const };
  },
});
