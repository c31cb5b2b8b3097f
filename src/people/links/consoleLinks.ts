/**
 * A link that opens the console signed in. Only the server's own host makes one (`hostLinks.ts`), for its demo account, so
 * that a person who tries Leadwire need not make an account first.
 */
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { namesOf } from '../scopes.js';
import type { SignInParts, SignIns } from '../signIn.js';
import type { ConsoleDoc } from '../store/linkDoc.js';
import type { PersonDoc } from '../store/personDocs.js';
import type { From, SignInResult } from '../types.js';
import { createLinks, linkIsOver } from './links.js';

/** What the page of the link shows. */
export interface ConsoleLinkView {
  org_id: string;
  organization: string;
  person: { id: string; name: string; email: string };
}

export function createConsoleLinks({ deps }: SignInParts, signIns: SignIns) {
  const { people, memberships, accessLinks } = deps.collections;
  const links = createLinks(deps);

  /** The link and its person, who must be a member still, with the password and second factor of then. */
  const find = async (token: string): Promise<{ link: ConsoleDoc; person: PersonDoc } | null> => {
    const link = await links.read(token);
    if (link?.kind !== 'console') return null;
    const { person_id, org_id, epoch } = link;
    const [person, membership] = await Promise.all([
      people.findOne({ _id: person_id, epoch }),
      memberships.findOne({ person_id, org_id, scope_key: 'organization' }),
    ]);
    return person && membership && { link, person };
  };

  return {
    /** Null for a link that is used, over or none; changes nothing. */
    async read(token: string): Promise<ConsoleLinkView | null> {
      const found = await find(token);
      if (!found) return null;
      const { link, person } = found;
      const { organization } = await namesOf(deps.collections, link.org_id, {
        kind: 'organization',
      });
      const { _id: id, name, email } = person;
      return { org_id: link.org_id, organization, person: { id, name, email } };
    },
    /**
     * Signs in, once for a link, whatever number try at once; where the second factor is on, up to its code.
     * @throws {AppError} `not_found` for a link that is used or over
     */
    async use(token: string, from: From): Promise<SignInResult> {
      const found = await find(token);
      if (!found) throw linkIsOver();
      await retryTransaction(
        accessLinks,
        (session) => links.use(found.link, session),
        'Other requests use this link at the same time. Open it again.',
      );
      return signIns.afterPassword(found.person, from);
    },
  };
}
