/**
 * Accepting an invitation, and the link of the first admin.
 *
 * What a link proves: a mailed one, that its user reads the mail of the address. One shown to an operator proves
 * nothing: if the address has an account, the link asks for that account's password. So an organization cannot get into
 * another's account by inviting its owner's address; and an account made by such a link gives way to the person who
 * proves by a mailed one to read the mail. The link of the first admin comes from the operator of the installation, who
 * vouches for the address typed there: it counts as proved. A link reveals nothing about accounts before a password is entered.
 */
import type { ClientSession } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { addressOf, checkEmail, checkPersonName, isSameAddress } from '../rules/identity.js';
import { namesOf, scopeKey } from '../scopes.js';
import { newId } from '../security/tokens.js';
import type { SignInParts, SignIns } from '../signIn.js';
import { findByEmail } from '../store/findByEmail.js';
import type { InviteDoc, LinkDoc, SetupDoc } from '../store/linkDoc.js';
import type { PersonDoc } from '../store/personDocs.js';
import type { AnyRole, From, Scope, SignedIn, SignInResult } from '../types.js';
import { createLinks, linkIsOver } from './links.js';

type OpenLink = InviteDoc | SetupDoc;

/** What a page of an invitation, or of the first admin's link, shows. */
export interface InviteView {
  kind: 'invite' | 'setup';
  organization: string;
  party: string;
  scope: Scope;
  role: AnyRole;
  /** Empty for the first admin, who gives one. */
  email: string;
  /**
   * `password`: the one of the address's account, or a new one; the link does not reveal which. `accept`: the signed-in
   * person may accept. `other`: this session cannot accept it.
   */
  needs: 'password' | 'accept' | 'other';
  /** The organization signs its people in by OIDC; the invitation may be accepted that way too. */
  oidc_org_id?: string;
}

/** What the person who uses the link joins. */
const offerOf = (link: OpenLink): Pick<InviteView, 'scope' | 'role'> =>
  link.kind === 'setup'
    ? { scope: { kind: 'organization' }, role: 'admin' }
    : { scope: link.scope, role: link.role };

export function createInvites(parts: SignInParts, signIns: SignIns) {
  const { deps, passwords, passwordPolicy } = parts;
  const { collections, clock } = deps;
  const { people, accessLinks, identities, oidcSettings } = collections;
  const links = createLinks(deps);

  const readOpen = async (token: string): Promise<OpenLink | null> => {
    const link = await links.read(token);
    if (link?.kind === 'invite') return link;
    return link?.kind === 'setup' && !(await hasAdmin(link)) ? link : null;
  };

  const hasAdmin = async ({ org_id }: SetupDoc, session?: ClientSession): Promise<boolean> =>
    (await collections.memberships.findOne(
      { org_id, scope_key: 'organization', role: 'admin' },
      { session },
    )) !== null;

  /** Written first: of many concurrent uses, all but one stop here. */
  const use = async (link: OpenLink, session: ClientSession): Promise<void> => {
    await links.use(link, session);
    if (link.kind === 'setup' && (await hasAdmin(link, session))) throw linkIsOver();
  };

  /** Creates the account of the invited address, or replaces one whose owner has never proved to read its mail. */
  const makePerson = async (
    earlier: PersonDoc | null,
    fields: { email: string; name: string; password_hash: string; isProved: boolean },
    session: ClientSession,
  ): Promise<PersonDoc> => {
    const { isProved, ...given } = fields;
    const now = clock.now();
    const _id = earlier?._id ?? newId('per');
    const epoch = (earlier?.epoch ?? 0) + 1;
    const doc: PersonDoc = {
      _id,
      ...given,
      created_at: earlier?.created_at ?? now,
      epoch,
      proved_at: isProved ? now : undefined,
    };
    if (!earlier) await people.insertOne(doc, { session });
    else {
      const { matchedCount } = await people.replaceOne(
        { _id, epoch: earlier.epoch, proved_at: { $exists: false } },
        doc,
        { session },
      );
      if (matchedCount === 0) throw signInToAccept();
      await identities.deleteMany({ person_id: _id }, { session });
    }
    return doc;
  };

  /** The account, if the password is right. Null: the address has none, or a mailed link replaces an unproved one. */
  const ownerOf = async (
    link: OpenLink,
    earlier: PersonDoc | null,
    password: string,
    from: From,
  ): Promise<PersonDoc | null> => {
    if (!earlier) return null;
    const givesWay = isProof(link) && !earlier.proved_at;
    const isRight = await signIns.requirePassword(earlier, password, from).then(
      () => true,
      (error: unknown) => {
        if (!givesWay || !(error instanceof AppError) || error.status >= 500) throw error;
        return false;
      },
    );
    return isRight ? earlier : null;
  };

  const acceptAs = async (person: PersonDoc, link: OpenLink): Promise<string> => {
    const id = await inTransaction(accessLinks, async (session) => {
      await use(link, session);
      return insertMembership(deps, link, person, session);
    });
    if (isProof(link) && !person.proved_at) {
      await people.updateOne({ _id: person._id }, { $set: { proved_at: clock.now() } });
    }
    return id;
  };

  return {
    /** Null for a link that is used, over or none; changes nothing. */
    async read(token: string, signedIn: SignedIn | null): Promise<InviteView | null> {
      const link = await readOpen(token);
      if (!link) return null;
      const oidc = await oidcSettings.findOne({ _id: link.org_id, is_enabled: true });
      const offer = offerOf(link);
      return {
        kind: link.kind,
        ...(await namesOf(collections, link.org_id, offer.scope)),
        ...offer,
        email: link.kind === 'invite' ? link.email : '',
        needs: needsOf(link, signedIn),
        oidc_org_id: oidc && link.kind === 'invite' ? link.org_id : undefined,
      };
    },

    /**
     * Accepts once for a link, whatever number try at once. Where the address has an account, the password must be that
     * account's; else it makes one.
     * @param input `email` only for the first admin; nothing for a person signed in with the invited address;
     * without `name` a new account is called by its address
     * @returns `membership_id` null: nothing is accepted yet, the account has a second factor, which must be entered first
     * @throws {AppError} `not_found` (used or over), `unauthorized` (not the password of the account), `rate_limited`,
     * `forbidden` (signed in as another, or the sender may not invite any more), `conflict` (a member already),
     * `validation_failed` with `details`
     */
    async accept(
      token: string,
      input: { email?: string; name?: string; password?: string },
      signedIn: SignedIn | null,
      from: From,
    ): Promise<SignInResult & { membership_id: string | null }> {
      const link = await readOpen(token);
      if (!link) throw linkIsOver();
      if (link.kind === 'invite') await requireSender(link, deps);
      const email =
        link.kind === 'invite'
          ? addressOf(link.email)
          : checkEmail(input.email ?? signedIn?.person.email ?? '');
      const earlier = await findByEmail(people, link.kind === 'invite' ? link.email : email);
      if (signedIn) {
        if (earlier?._id !== signedIn.person.id || !actsIn(link, signedIn)) throw otherAddress();
        return { state: 'signed_in', cookies: [], membership_id: await acceptAs(earlier, link) };
      }
      // Checked before the account's password, so that known and unknown addresses are refused alike.
      const { name: typed = '', password = '' } = input;
      const name = typed.trim() === '' && link.kind === 'invite' ? email : checkPersonName(typed);
      await passwordPolicy.check(password, email);
      // Another request with the same link may have made the account found above.
      if (earlier && !(await readOpen(token))) throw linkIsOver();
      const owner = await ownerOf(link, earlier, password, from);
      if (owner?.totp) {
        return { ...(await signIns.afterPassword(owner, from)), membership_id: null };
      }
      if (owner) {
        const membership_id = await acceptAs(owner, link);
        return { ...(await signIns.afterPassword(owner, from)), membership_id };
      }
      const password_hash = await passwords.hash(password);
      // The operator hands a setup link to the first admin: a mailed link must not replace that account.
      const isProved = link.kind === 'setup' || isProof(link);
      const fields = { email, name, password_hash, isProved };
      const made = await inTransaction(accessLinks, async (session) => {
        await use(link, session);
        const person = await makePerson(earlier, fields, session);
        return { person, membership_id: await insertMembership(deps, link, person, session) };
      });
      if (earlier) await collections.sessions.deleteMany({ person_id: earlier._id });
      const result = await signIns.complete({ person: made.person, via: 'password' }, from);
      return { ...result, membership_id: made.membership_id };
    },
  };
}

const isProof = (link: LinkDoc): boolean => link.kind === 'invite' && link.is_mailed;

/** Reveals nothing about accounts: the bearer of the link has not yet proved to be the invited person. */
function needsOf(link: OpenLink, signedIn: SignedIn | null): InviteView['needs'] {
  if (!signedIn) return 'password';
  const isMeant = link.kind === 'setup' || isSameAddress(link.email, signedIn.person.email);
  return isMeant && actsIn(link, signedIn) ? 'accept' : 'other';
}

/** A provider vouches for the people of one organization only. */
const actsIn = ({ org_id }: OpenLink, { via, oidc_org_id }: SignedIn): boolean =>
  via === 'password' || oidc_org_id === org_id;

/**
 * An invitation is valid only while its sender may invite.
 * @throws {AppError} `forbidden`
 */
export async function requireSender(
  invite: InviteDoc,
  { mayInvite }: Pick<SignInParts['deps'], 'mayInvite'>,
): Promise<void> {
  if (await mayInvite(invite)) return;
  throw new AppError(
    'forbidden',
    `This invitation is void: its sender may no longer grant the role ${invite.role}. Ask for a new one.`,
  );
}

/**
 * The membership that a link creates, one per person and scope.
 * @param person as the one who accepts was recognized: with a new password since then, the person signs in again first
 * @returns its id
 * @throws {AppError} `conflict` when the person is a member already
 */
export async function insertMembership(
  { collections, clock }: Pick<SignInParts['deps'], 'collections' | 'clock'>,
  link: OpenLink,
  { _id: person_id, epoch }: Pick<PersonDoc, '_id' | 'epoch'>,
  session: ClientSession,
): Promise<string> {
  const { scope, role } = offerOf(link);
  const _id = newId('mem');
  // Whoever sets a new password at the same time writes the same document, and then sees this membership.
  const joined = { $inc: { joins: 1 } };
  const { matchedCount } = await collections.people.updateOne({ _id: person_id, epoch }, joined, {
    session,
  });
  if (matchedCount === 0) throw signInToAccept();
  const place = { person_id, org_id: link.org_id, scope_key: scopeKey(scope) };
  // In an organization that lost its admins, a member with another role becomes the first admin again.
  if (link.kind === 'setup') await collections.memberships.deleteOne(place, { session });
  const doc = { _id, ...place, scope, role, created_at: clock.now() };
  await collections.memberships.insertOne(doc, { session }).catch((error: unknown) => {
    if (isDuplicateKey(error)) throw new AppError('conflict', 'You are already a member.');
    throw error;
  });
  return _id;
}

/**
 * Uses a link in a transaction.
 * @param hasAccount refuses the second of two requests that create an account for one address at once
 */
export const inTransaction = <T>(
  of: SignInParts['deps']['collections']['accessLinks'],
  work: (session: ClientSession) => Promise<T>,
  hasAccount = signInToAccept,
): Promise<T> =>
  retryTransaction(of, work, 'Too many requests are using this link. Open it again.').catch(
    (error: unknown) => {
      if (isDuplicateKey(error)) throw hasAccount();
      throw error;
    },
  );

const otherAddress = (): AppError =>
  new AppError(
    'forbidden',
    'This invitation is for another email address than the one you are signed in with. Sign out and open the link again.',
  );

const signInToAccept = (): AppError =>
  new AppError(
    'forbidden',
    'This address has an account. Sign in with it first, then open the link again.',
  );
