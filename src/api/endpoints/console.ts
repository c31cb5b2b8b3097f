/** People of the organization: their identity, and the actions, with a session instead of a key. */
import { z } from 'zod';
import { FILE_TYPES } from '../calls/listFiles.js';
import type { HttpDeps } from '../http/deps.js';
import type { Endpoint } from '../http/endpoint.js';
import { reply } from './actions.js';
import { askedOf, MEMBERSHIP, ofMembership, seatOf } from './membership.js';

type Deps = Pick<HttpDeps, 'console'>;

export const consoleMe: Endpoint = {
  ...ofMembership,
  id: 'consoleMe',
  method: 'get',
  path: '/console/api/:membership/me',
  summary: 'Show the signed-in person in an organization',
  description: 'The person, the organization, the role, and the actions that it may run.',
  handle: async (call, { console }: Deps) => reply(await console.me(seatOf(call))),
};

export const consoleAction: Endpoint = {
  ...ofMembership,
  id: 'consoleAction',
  method: 'post',
  path: '/console/api/:membership/actions/:action',
  summary: 'Run an action as a person',
  description:
    'Runs the action of this name, as POST /api/v1/actions does for a key. The body is one JSON object; an empty body ' +
    'is `{}`. With `Accept: text/csv` or `application/x-ndjson`, an action that has a file answers with it.',
  params: z.object({ membership: MEMBERSHIP, action: z.string().describe('Name of the action') }),
  input: z.looseObject({}),
  readsBody: true,
  async handle(call, { console }: Deps) {
    const [seat, asked] = [seatOf(call), askedOf(call, 'action')];
    const type = FILE_TYPES.find((one) => one === call.acceptedTypes()[0]);
    const file = type ? await console.file(seat, asked, type) : null;
    return file ? { status: 200, ...file } : reply(await console.run(seat, asked));
  },
};
