/** The portals of partners: the person's identity there, its calls, and lists to download. */
import { z } from 'zod';
import type { CallAnswer } from '../calls/answer.js';
import type { HttpDeps } from '../http/deps.js';
import type { Endpoint, Reply } from '../http/endpoint.js';
import { askedOf, MEMBERSHIP, ofMembership as ofAny, seatOf } from './membership.js';

type Deps = Pick<HttpDeps, 'partners'>;

const SEAT = MEMBERSHIP.describe(
  'A membership of the person that is signed in, at the partner; an admin of the organization sees it by its own: mem_1.buyer.ID',
);
const ofMembership = { ...ofAny, params: z.object({ membership: SEAT }) };

export const partnerMe: Endpoint = {
  ...ofMembership,
  id: 'partnerMe',
  method: 'get',
  path: '/portal/api/:membership/me',
  summary: 'Show the signed-in person in a portal',
  description: 'The person, the partner, what the operator allows, and the calls that there are.',
  handle: async (call, { partners }: Deps) => reply(await partners.me(seatOf(call))),
};

const ONE_YEAR_SECONDS = 31_536_000;

export const partnerLogo: Endpoint = {
  ...ofMembership,
  id: 'partnerLogo',
  method: 'get',
  path: '/portal/api/:membership/logo',
  summary: 'Show the logo of a portal',
  description:
    'The PNG or JPEG that the operator has set. Asked for by its id, as the settings name it, it may be kept forever.',
  query: z.object({ v: z.string().describe('The id of the logo') }),
  outputs: { 200: z.string() },
  produces: 'image/png',
  async handle(call, { partners }: Deps) {
    const { id, type, bytes, headers } = await partners.logo(seatOf(call));
    const isNamed = call.query().get('v') === id;
    const kept = isNamed ? `private, max-age=${ONE_YEAR_SECONDS}, immutable` : 'private, no-cache';
    return {
      status: 200,
      headers: { ...headers, 'content-type': type, 'cache-control': kept },
      body: bytes,
    };
  },
};

export const partnerFile: Endpoint = {
  ...ofMembership,
  id: 'partnerFile',
  method: 'get',
  path: '/portal/api/:membership/files/:file',
  summary: 'Download a list of a portal as CSV',
  description: 'The list is streamed. The query has the filters of the list.',
  params: z.object({ membership: SEAT, file: z.string().describe('Such as leads.csv') }),
  outputs: { 200: z.string() },
  produces: 'text/csv',
  handle: async (call, { partners }: Deps) => ({
    status: 200,
    ...(await partners.file(seatOf(call), call.param('file'), call.query())),
  }),
};

export const partnerCall: Endpoint = {
  ...ofMembership,
  id: 'partnerCall',
  method: 'post',
  path: '/portal/api/:membership/:call',
  summary: 'Run a call of a portal',
  description: 'The body is the input of the call, one JSON object; an empty body is `{}`.',
  params: z.object({ membership: SEAT, call: z.string().describe('Such as list_sales') }),
  input: z.looseObject({}),
  readsBody: true,
  handle: async (call, { partners }: Deps) =>
    reply(await partners.call(seatOf(call), askedOf(call, 'call'))),
};

const reply = ({ headers, ...result }: CallAnswer): Reply => ({
  status: 200,
  headers: { ...headers, 'cache-control': 'no-store' },
  body: result,
});
