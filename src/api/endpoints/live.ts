/** The live feed of leads, for keys and for people with a session. */
import { z } from 'zod';
import type { HttpDeps } from '../http/deps.js';
import type { Call, Endpoint, Reply } from '../http/endpoint.js';
import { FollowInput } from '../live/followLeads.js';
import type { Follower } from '../live/liveLeads.js';
import { MEMBERSHIP, ofMembership, seatOf } from './membership.js';

type Deps = Pick<HttpDeps, 'actions' | 'console' | 'live'>;

const SHARED = {
  method: 'get',
  summary: 'Follow leads as they arrive',
  query: FollowInput,
  headers: z.object({
    'last-event-id': z.string().optional().describe('The id of the last event received'),
  }),
  produces: 'text/event-stream',
  outputs: { 200: z.string().describe('Server-sent events') },
} as const;

export const followLeads: Endpoint = {
  ...SHARED,
  id: 'followLeads',
  path: '/api/v1/leads/live',
  tag: 'api',
  auth: 'organisation',
  description:
    'Server-sent events: `lead`, with a lead as get_leads lists it, once, some 5 seconds after it arrived, oldest ' +
    'first; `gap`, where leads since that time are left out; `end`, where the key may no longer follow. ' +
    '`Last-Event-ID` continues within an hour without loss or repeat. At most 6 feeds of a key, 40 of an organization.',
  errors: [
    'unauthorized',
    'forbidden',
    'record_not_found',
    'invalid_input',
    'rate_limited',
    'unavailable',
  ],
  handle: async (call, { actions, live }: Deps) =>
    feedOf(call, live, await actions.follower(call.header('authorization'), call.witness)),
};

export const consoleFollowLeads: Endpoint = {
  ...ofMembership,
  ...SHARED,
  id: 'consoleFollowLeads',
  path: '/console/api/:membership/leads/live',
  params: z.object({ membership: MEMBERSHIP }),
  description: 'The feed of `GET /api/v1/leads/live`, for a signed-in person.',
  handle: async (call, { console, live }: Deps) =>
    feedOf(call, live, await console.follower(seatOf(call), call.witness)),
};

async function feedOf(
  call: Call,
  live: Deps['live'],
  follower: Follower & { headers: Record<string, string> },
): Promise<Reply> {
  const query = call.query();
  // A browser that comes back by itself sends the later one in the header.
  const lastEventId = call.header('last-event-id') ?? query.get('after') ?? undefined;
  const asked = { query, lastEventId };
  const body = await live.open(follower, asked);
  return {
    status: 200,
    body,
    headers: {
      ...follower.headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A proxy that collects the answer would hold the events back.
      'x-accel-buffering': 'no',
    },
  };
}
