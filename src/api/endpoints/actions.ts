/** The Actions API: the key's identity, the catalog, and running an action (contract 9.1). */
import { z } from 'zod';
import type { CallAnswer } from '../calls/answer.js';
import { FILE_TYPES } from '../calls/listFiles.js';
import { ActionResult, CatalogResult, WhoamiResult } from '../schemas/actions.js';
import type { HttpDeps } from '../http/deps.js';
import type { Endpoint, Reply } from '../http/endpoint.js';
import { askedOf } from './membership.js';

type Deps = Pick<HttpDeps, 'actions'>;

export const whoami: Endpoint = {
  id: 'whoami',
  method: 'get',
  path: '/api/v1/whoami',
  summary: 'Show the organization and the permissions of a key',
  description: 'The organization, the calling key, its permissions, and the actions it may run.',
  tag: 'api',
  auth: 'organisation',
  outputs: { 200: WhoamiResult },
  errors: ['unauthorized', 'rate_limited', 'unavailable'],
  handle: async (call, { actions }: Deps) =>
    reply(await actions.whoami(call.header('authorization'), call.witness)),
};

export const listActions: Endpoint = {
  id: 'listActions',
  method: 'get',
  path: '/api/v1/actions',
  summary: 'List actions with their input schema and whether the key may run them',
  description:
    'Every action with its description, the JSON Schemas of its input and output, an example, the permission it ' +
    'needs, and whether this key may run it.',
  tag: 'api',
  auth: 'organisation',
  outputs: { 200: CatalogResult },
  errors: ['unauthorized', 'rate_limited', 'unavailable'],
  handle: async (call, { actions }: Deps) =>
    reply(await actions.catalog(call.header('authorization'), call.witness)),
};

export const runAction: Endpoint = {
  id: 'runAction',
  method: 'post',
  path: '/api/v1/actions/:action',
  summary: 'Run an action',
  description:
    'Runs the action of this name. Each action also has its own operation here, with its own schemas. The body is ' +
    'one JSON object; an empty body is `{}`. `export_leads` and `get_lead_breakdown` answer `Accept: text/csv` or ' +
    '`application/x-ndjson` with every row.',
  tag: 'api',
  params: z.object({ action: z.string().describe('Name of the action, such as `get_campaign`') }),
  auth: 'organisation',
  input: z.looseObject({}).meta({
    description: 'The input of the action, a JSON object',
    examples: [{ campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11' }],
  }),
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
  async handle(call, { actions }: Deps) {
    const type = FILE_TYPES.find((one) => one === call.acceptedTypes()[0]);
    const asked = askedOf(call, 'action');
    const key = call.header('authorization');
    const file = type ? await actions.file(key, asked, type) : null;
    return file ? { status: 200, ...file } : reply(await actions.run(key, asked));
  },
};

/** The answer of an action, for keys and people alike: no cache keeps it. */
export const reply = ({ headers, ...result }: CallAnswer): Reply => ({
  status: 200,
  headers: { ...headers, 'cache-control': 'no-store' },
  body: { success: true, ...result },
});
