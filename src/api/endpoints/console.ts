/** The organization's own people: who one is, and the actions, by a session in the place of a key. */
import { z } from 'zod';
import { AppError } from '../../lib/errors.js';
import type { SignedIn } from '../../people/types.js';
import type { ActionAnswer } from '../actions/service.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';

type Deps = Pick<HttpDeps, 'console'>;

const MEMBERSHIP = z.string().describe('A membership of the person that is signed in');
const shared = {
  tag: 'api',
  auth: 'session',
  errors: ['unauthorized', 'not_found', 'rate_limited', 'unavailable'],
} as const;

export const consoleMe: Endpoint = {
  ...shared,
  id: 'consoleMe',
  method: 'get',
  path: '/console/api/:membership/me',
  summary: 'Show who a person is in an organization',
  description: 'The person, the organization, the role, and the actions that it may run.',
  params: z.object({ membership: MEMBERSHIP }),
  outputs: { 200: z.looseObject({}) },
  handle: async (call, { console }: Deps) =>
    reply(await console.me(personOf(call), call.param('membership'))),
};

export const consoleAction: Endpoint = {
  ...shared,
  id: 'consoleAction',
  method: 'post',
  path: '/console/api/:membership/actions/:action',
  summary: 'Run an action as a person',
  description:
    'Runs the action of this name, as POST /api/v1/actions does for a key. The body is one JSON object; an empty body ' +
    'is `{}`.',
  params: z.object({ membership: MEMBERSHIP, action: z.string().describe('Name of the action') }),
  input: z.looseObject({}),
  readsBody: true,
  outputs: { 200: z.looseObject({}) },
  handle: async (call, { console }: Deps) =>
    reply(
      await console.run(
        personOf(call),
        call.param('membership'),
        call.param('action'),
        (max) => call.readObject(max),
        call.witness,
      ),
    ),
};

/** The door has let somebody in who is signed in. */
function personOf({ session }: Call): SignedIn {
  if (session) return session;
  throw new AppError('unauthorized', 'Nobody is signed in here. Sign in again.');
}

const reply = ({ headers, ...result }: ActionAnswer): Reply => ({
  status: 200,
  headers: { ...headers, 'cache-control': 'no-store' },
  body: { success: true, ...result },
});
