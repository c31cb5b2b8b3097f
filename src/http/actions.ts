/** The Actions API: who the key is, what there is to do, and doing it (specification 4.1). */
import { z } from 'zod';
import type { ActionAnswer } from '../actions/service.js';
import { ActionResult, CatalogResult, WhoamiResult } from '../schemas/actions.js';
import type { HttpDeps } from './deps.js';
import type { Endpoint, Reply } from './endpoint.js';

type Deps = Pick<HttpDeps, 'actions'>;

export const whoami: Endpoint = {
  id: 'whoami',
  method: 'get',
  path: '/api/v1/whoami',
  summary: 'Which organisation a key acts for, and what it may do',
  who: 'organisation',
  outputs: { 200: WhoamiResult },
  errors: ['unauthorized', 'rate_limited', 'unavailable'],
  handle: async (call, { actions }: Deps) =>
    reply(await actions.whoami(call.header('authorization'))),
};

export const listActions: Endpoint = {
  id: 'listActions',
  method: 'get',
  path: '/api/v1/actions',
  summary: 'Every action, with the shape of its input and whether the key may run it',
  who: 'organisation',
  outputs: { 200: CatalogResult },
  errors: ['unauthorized', 'rate_limited', 'unavailable'],
  handle: async (call, { actions }: Deps) =>
    reply(await actions.catalog(call.header('authorization'))),
};

export const runAction: Endpoint = {
  id: 'runAction',
  method: 'post',
  path: '/api/v1/actions/:action',
  summary: 'Run an action',
  who: 'organisation',
  input: z.looseObject({}).describe('The input of the action, a JSON object'),
  readsBody: true,
  outputs: { 200: ActionResult },
  errors: [
    'malformed_body',
    'record_not_found',
    'version_conflict',
    'action_refused',
    'unauthorized',
    'forbidden',
    'action_not_found',
    'body_too_large',
    'unsupported_media_type',
    'invalid_input',
    'rate_limited',
    'unavailable',
    'outcome_unknown',
  ],
  handle: async (call, { actions }: Deps) =>
    reply(
      await actions.run(call.header('authorization'), call.param('action'), () => call.readBody()),
    ),
};

const reply = ({ headers, ...result }: ActionAnswer): Reply => ({
  status: 200,
  headers: { ...headers, 'cache-control': 'no-store' },
  body: { success: true, ...result },
});
