/** Shared by the endpoints of signed-in people: each acts for a membership of the person. */
import { z } from 'zod';
import { AppError } from '../../lib/errors.js';
import type { SignedIn } from '../../people/types.js';
import type { Asked, Seat } from '../calls/me.js';
import type { Call } from '../http/endpoint.js';

export const MEMBERSHIP = z.string().describe('A membership of the person that is signed in');

export const ofMembership = {
  tag: 'api',
  auth: 'session',
  params: z.object({ membership: MEMBERSHIP }),
  outputs: { 200: z.looseObject({}) },
  errors: ['unauthorized', 'not_found', 'rate_limited', 'unavailable'],
} as const;

export const seatOf = (call: Call): Seat => ({
  signedIn: personOf(call),
  membershipId: call.param('membership'),
  found: call.membership,
});

/** @param param the part of the path that names the call */
export const askedOf = (call: Call, param: string): Asked => ({
  name: call.param(param),
  body: (max) => call.readObject(max),
  witness: call.witness,
});

/** The person whom `browserDoor` has let in. */
function personOf({ session }: Call): SignedIn {
  if (session) return session;
  throw new AppError('unauthorized', 'Nobody is signed in here. Sign in again.');
}
