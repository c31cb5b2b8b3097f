/** The health of the installation, for people who run an organization on it. */
import { z } from 'zod';
import { defineAction } from '../action.js';
import { SystemView } from '../schemas/system.js';

export const getSystem = defineAction({
  name: 'get_system',
  cli: ['system', 'show'],
  summary: 'Show the health and the versions of the installation',
  description:
    'Whether MongoDB, Temporal and the workers answer, when the repairs were last complete, and what runs in which version. ' +
    'It shows nothing of other organizations; what waits in this one is in get_today.',
  permission: 'settings:read',
  input: z.strictObject({}),
  example: {},
  output: SystemView,
  run: (_input, { system }) => system(),
});
