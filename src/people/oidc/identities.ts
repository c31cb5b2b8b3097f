/** The sign-ins of organizations that are connected to a person's account. */
import { AppError } from '../../lib/errors.js';
import type { PeopleDeps } from '../deps.js';
import { namesOf } from '../names.js';
import { refuseOidc, requireFresh } from '../signIn.js';
import type { Identities } from './types.js';

/** Of one person; further ones appear as earlier ones are disconnected. */
const SHOWN_MAX = 100;

export function createIdentities({ collections }: Pick<PeopleDeps, 'collections'>): Identities {
  const { identities, sessions } = collections;
  return {
    async list(signedIn) {
      refuseOidc(signedIn);
      const found = await identities
        .find({ person_id: signedIn.person.id })
        .limit(SHOWN_MAX)
        .toArray();
      const oldestFirst = found.toSorted((one, other) => +one.created_at - +other.created_at);
      return Promise.all(
        oldestFirst.map(async ({ _id: id, org_id, issuer, created_at }) => {
          const { organization } = await namesOf(collections, org_id, { kind: 'organization' });
          return { id, org_id, organization, issuer, created_at };
        }),
      );
    },
    async disconnect(signedIn, id) {
      refuseOidc(signedIn);
      requireFresh(signedIn);
      const person_id = signedIn.person.id;
      const removed = await identities.findOneAndDelete({ _id: id, person_id });
      if (!removed) throw new AppError('not_found', 'This sign-in is not connected.');
      await sessions.deleteMany({ person_id, oidc_org_id: removed.org_id });
    },
  };
}
