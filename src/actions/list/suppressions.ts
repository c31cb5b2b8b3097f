/** Suppression lists. */
import { z } from 'zod';
import { listSuppressions } from '../../account/suppressions.js';
import { defineAction } from '../action.js';
import { Instant } from '../schemas/common.js';

export const listSuppressionLists = defineAction({
  name: 'list_suppressions',
  cli: ['suppressions', 'list'],
  summary: 'List suppression lists',
  description:
    'Every list of people whose leads are not taken, of the organisation, its campaigns and its buyers.',
  effect: 'read',
  idempotent: true,
  permission: 'leads:read',
  input: z.strictObject({}),
  example: {},
  output: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      scope: z.enum(['organisation', 'campaign', 'buyer']),
      target_id: z.string().describe('The organisation, campaign or buyer it is for'),
      entries: z.number().int(),
      uploaded_at: Instant,
      created_at: Instant,
    }),
  ),
  async run(_input, { collections, caller }) {
    const lists = await listSuppressions(collections, caller.org_id);
    return lists.map(({ _id: id, name, scope, target_id, entries, uploaded_at, created_at }) => ({
      ...{ id, name, scope, target_id, entries },
      uploaded_at: uploaded_at.toISOString(),
      created_at: created_at.toISOString(),
    }));
  },
});
