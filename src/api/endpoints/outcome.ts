/** `POST /api/webhooks/buyer-outcome` (contract 7.1): a buyer reports the outcome of a lead. */
import { OutcomeBody, OutcomeResult } from '../../outcomes/schemas/outcome.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';

export const outcome: Endpoint = {
  id: 'postOutcome',
  method: 'post',
  path: '/api/webhooks/buyer-outcome',
  summary: 'Report the outcome of a lead: outcome, revenue, value, note',
  description:
    'One address for all campaigns of a buyer. The lead must be one that the buyer has: bought, or sent to it and ' +
    'never answered. With an idempotency_key the same postback may be sent again while the lead is kept, and gets ' +
    'the first answer. 503 means that nothing was stored; after a 504 the same postback sent again gets the answer. ' +
    'Limit: 100 a second.',
  tag: 'postback',
  auth: 'buyer',
  input: OutcomeBody,
  outputs: { 200: OutcomeResult },
  errors: [
    'validation_failed',
    'unauthorized',
    'not_found',
    'ambiguous',
    'conflict',
    'rate_limited',
    'unavailable',
    'outcome_unknown',
  ],
  async handle(call: Call, { postbacks }: Pick<HttpDeps, 'postbacks'>): Promise<Reply> {
    const { data, headers } = await postbacks.submit({
      secret: call.header('x-buyer-secret'),
      body: call.body,
      isForm: call.isForm,
      receivedAt: call.receivedAt,
    });
    const body = { success: true, data };
    return { status: 200, headers: { ...headers, 'cache-control': 'no-store' }, body };
  },
};
