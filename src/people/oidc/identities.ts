/** The sign-ins of organizations that are connected to a person's account. */
import { AppError } from '../../lib/errors.js';
import type { PeopleDeps } from '../deps.js';
import { namesOf } from '../scopes.js';
import { refuseOidc, requireFresh } from '../signIn.js';
import type { SignedIn } from '../types.js';

/** A provider's account by which a person can sign in, too. */
export interface Identity {
  id: string;
  org_id: string;
  /** The name of the organization. */
  organization: string;
  issuer: string;
  created_at: Date;
}

/** Of one person; further ones appear as earlier ones are disconnected. */
const SHOWN_MAX = 100;

/** What is connected to a person's own account. Both refuse a session by a provider with `forbidden`. */
export function createIdentities({ collections }: Pick<PeopleDeps, 'collections'>) {
  const { identities, sessions } = collections;
  return {
    /** Oldest first. */
    async list(signedIn: SignedIn): Promise<Identity[]> {
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
    /**
     * It no longer signs the person in, and the sessions of this person by that organization's provider end.
     * @throws {AppError} `forbidden` unless fresh; `not_found`
     */
    async disconnect(signedIn: SignedIn, id: string): Promise<void> {
      requireFresh(signedIn);
      const person_id = signedIn.person.id;
      const removed = await identities.findOneAndDelete({ _id: id, person_id });
      if (!removed) throw new AppError('not_found', 'This sign-in is not connected.');
      await sessions.deleteMany({ person_id, oidc_org_id: removed.org_id });
    },
  };
}
