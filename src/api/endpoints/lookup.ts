/** `GET /api/v1/leads/lookup`: the status of a supplier's own lead. */
import { LookupQuery, LookupResult } from '../../ingest/schemas/lookup.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';

export const lookup: Endpoint = {
  id: 'lookUpLead',
  method: 'get',
  path: '/api/v1/leads/lookup',
  summary: 'Look up the status of a lead you sent',
  description:
    'Takes one of `id`, `phone` and `email`, the latter two with `campaign_id`. If several leads match, returns the ' +
    'newest, and `matches` is their number. Limit: 10 a second, and 20 a second for up to 5 seconds.',
  tag: 'ingest',
  auth: 'supplier',
  query: LookupQuery,
  outputs: { 200: LookupResult },
  errors: ['validation_failed', 'unauthorized', 'not_found', 'rate_limited', 'unavailable'],
  async handle(call: Call, { lookup: leads }: Pick<HttpDeps, 'lookup'>): Promise<Reply> {
    const { data, headers } = await leads.find({
      key: call.header('x-api-key'),
      query: call.query(),
    });
    return { status: 200, headers: { ...headers, 'cache-control': 'no-store' }, body: { data } };
  },
};
