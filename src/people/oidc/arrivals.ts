/**
 * Which person a provider's subject is. A person is known by the subject alone, never by an address:
 * a provider may claim any address, and vouches for the people of one organization only.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../lib/errors.js';
import type { PeopleDeps } from '../deps.js';
import { insertMembership, inTransaction, requireSender } from '../links/invites.js';
import { createLinks, linkIsOver } from '../links/links.js';
import { inOneLine } from '../links/mails.js';
import { addressOf } from '../rules/identity.js';
import { newId } from '../security/tokens.js';
import type { Sessions } from '../sessions/sessions.js';
import { findByEmail, hasOtherForms } from '../store/findByEmail.js';
import type { InviteDoc } from '../store/linkDoc.js';
import type { IdentityDoc, OidcFlowDoc } from '../store/oidcDocs.js';
import type { PersonDoc } from '../store/personDocs.js';

/** The provider's claims about the person who signed in. */
export interface Subject {
  issuer: string;
  subject: string;
  name: string;
  /** When the person signed in there; absent: the provider does not say. */
  signed_in_at?: Date;
}

export function createOidcArrivals(deps: PeopleDeps, sessions: Pick<Sessions, 'isLive'>) {
  const { collections, clock } = deps;
  const { identities, people, memberships, accessLinks } = collections;
  const links = createLinks(deps);

  const known = async (orgId: string, of: Subject): Promise<PersonDoc | null> => {
    const identity = await identities.findOne({ _id: identityId(orgId, of) });
    return identity && people.findOne({ _id: identity.person_id });
  };

  /** Of the session that began it, which must go on: what a stolen one leaves behind would outlive a new password. */
  const link = async (flow: OidcFlowDoc, of: Subject, personId: string): Promise<PersonDoc> => {
    const { org_id: orgId, link_session_id: sessionId = '' } = flow;
    if (!(await sessions.isLive(sessionId, personId))) throw sessionIsOver();
    const isMember = await memberships.findOne({ person_id: personId, org_id: orgId });
    const person = isMember && (await people.findOne({ _id: personId }));
    if (!person) throw unknownPerson();
    const doc = identityOf(orgId, of, personId, clock.now());
    const { upsertedCount } = await identities.updateOne(
      { _id: doc._id },
      { $setOnInsert: doc },
      { upsert: true },
    );
    // Checked again: if the password changes during the linking, the link does not stay.
    if (!(await sessions.isLive(sessionId, personId))) {
      if (upsertedCount === 1) await identities.deleteOne({ _id: doc._id, person_id: personId });
      throw sessionIsOver();
    }
    const linked = await known(orgId, of);
    if (linked?._id !== personId) {
      throw new AppError('conflict', 'This sign-in belongs to another person here.');
    }
    return person;
  };

  const accept = async (flow: OidcFlowDoc, of: Subject): Promise<PersonDoc> => {
    const invite = await accessLinks.findOne({ _id: flow.invite ?? '' });
    if (invite?.kind !== 'invite' || invite.org_id !== flow.org_id) throw linkIsOver();
    await requireSender(invite, deps);
    const earlier = await known(flow.org_id, of);
    // The unique key of addresses compares the current form alone.
    const isTaken = hasOtherForms(invite.email) && (await findByEmail(people, invite.email));
    if (!earlier && isTaken) throw hasAccount();
    const now = clock.now();
    const person = earlier ?? newPerson(invite, of, now);
    await inTransaction(
      accessLinks,
      async (session) => {
        await links.use(invite, session);
        if (!earlier) {
          await people.insertOne(person, { session });
          await identities.insertOne(identityOf(flow.org_id, of, person._id, now), { session });
        }
        await insertMembership(deps, invite, person, session);
      },
      hasAccount,
    );
    return person;
  };

  return {
    /**
     * The person that the flow ends with.
     * @throws {AppError} `unauthorized` for a subject linked to no person, or a link whose session has ended; `not_found`,
     * `forbidden`, `conflict`
     */
    async personOf(flow: OidcFlowDoc, subject: Subject): Promise<PersonDoc> {
      if (flow.link_person_id !== undefined) {
        return link(flow, subject, flow.link_person_id);
      }
      if (flow.invite !== undefined) return accept(flow, subject);
      const person = await known(flow.org_id, subject);
      if (person) return person;
      throw unknownPerson();
    },
    /** Whether the subject is still this person's. */
    isStill: async (personId: string, { org_id }: OidcFlowDoc, of: Subject): Promise<boolean> =>
      (await identities.findOne({ _id: identityId(org_id, of), person_id: personId })) !== null,
  };
}

const hasAccount = (): AppError =>
  new AppError(
    'forbidden',
    "This address has an account. Sign in with its password, accept there, and add the organization's sign-in " +
      'to your account.',
  );

const newPerson = ({ email, is_mailed }: InviteDoc, { name }: Subject, now: Date): PersonDoc => ({
  _id: newId('per'),
  email: addressOf(email),
  name: inOneLine(name) || email,
  created_at: now,
  epoch: 1,
  proved_at: is_mailed ? now : undefined,
});

const identityOf = (orgId: string, of: Subject, person_id: string, now: Date): IdentityDoc => ({
  _id: identityId(orgId, of),
  org_id: orgId,
  issuer: of.issuer,
  subject: of.subject,
  person_id,
  created_at: now,
});

const identityId = (orgId: string, { issuer, subject }: Subject): string =>
  createHash('sha256')
    .update(JSON.stringify([orgId, issuer, subject]))
    .digest('hex');

const sessionIsOver = (): AppError =>
  new AppError(
    'unauthorized',
    'The session that started this has ended. Sign in and connect it again on your account page.',
  );

export const unknownPerson = (): AppError =>
  new AppError(
    'unauthorized',
    'This sign-in is not connected to an account. Accept an invitation with it first, or connect it to your account.',
  );
