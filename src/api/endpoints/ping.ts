/** `POST /api/v1/ping` (contract 5.1): whether buyers bid for a lead, and at what price. */
import { ADMITTED_BY_MS } from '../../pings/deadlines.js';
import { PingBody, PingResult } from '../../pings/schemas/ping.js';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';

export const ping: Endpoint = {
  id: 'pingLead',
  method: 'post',
  path: '/api/v1/ping',
  summary: 'Request bids for a lead before you send it',
  description:
    'For campaigns that accept leads by ping-post. The answer has the bids, best first, and a signed `ping_id` to ' +
    'post the lead with, valid for 30 minutes; or the reason why no buyer bids. No lead is created. Filters on ' +
    'fields that the ping lacks are checked at the post. Default limit: 500 a second, and 1,000 a second for up to ' +
    '10 seconds.',
  tag: 'ingest',
  auth: 'supplier',
  knownByMs: ADMITTED_BY_MS,
  input: PingBody,
  outputs: { 200: PingResult },
  errors: [
    'validation_failed',
    'unauthorized',
    'forbidden',
    'campaign_not_found',
    'rate_limited',
    'unavailable',
  ],
  async handle(call: Call, { pings }: Pick<HttpDeps, 'pings'>): Promise<Reply> {
    const { data, headers } = await pings.submit({
      key: call.header('x-api-key'),
      body: call.body,
      receivedAt: call.receivedAt,
    });
    return { status: 200, headers: { ...headers, 'cache-control': 'no-store' }, body: data };
  },
};
