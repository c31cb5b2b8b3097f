/** The health of the installation, for people who run an organization on it. */
import { z } from 'zod';
import { readQueues } from '../../../deliveries/store/attention.js';
import { defineAction } from '../action.js';
import { SystemView } from '../schemas/system.js';
import { QUEUED_MAX, WaitingDeliveries, waitingIn } from '../schemas/waiting.js';

export const getSystem = defineAction({
  name: 'get_system',
  cli: ['system', 'show'],
  summary: 'Show the health and the versions of the installation',
  description:
    'Whether MongoDB, Temporal and the workers answer, when the repairs were last complete, and what runs in which version. ' +
    'It shows nothing of other organizations; of this one how much waits.',
  permission: 'settings:read',
  input: z.strictObject({}),
  example: {},
  output: SystemView.extend({
    waiting: WaitingDeliveries.describe('What waits in the organization'),
  }),
  async run(_input, { system, collections, orgId }) {
    const [state, queues] = await Promise.all([
      system(),
      readQueues(collections.deliveries, orgId, QUEUED_MAX),
    ]);
    return { ...state, waiting: waitingIn(queues) };
  },
});
