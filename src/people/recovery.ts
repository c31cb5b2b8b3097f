/**
 * A new password by a mailed link. Asking again leaves earlier links valid, so that an attacker cannot invalidate the
 * one in a victim's mailbox; each is used once, and using one ends all of them.
 */
import type { ClientSession } from 'mongodb';
import { retryTransaction } from '../platform/mongo/transaction.js';
import { useWindow } from '../platform/rateLimits/store/windows.js';
import { normalizeEmail } from '../fields/normalize.js';
import { addressOf } from './rules/identity.js';
import { createLinks, linkIsOver, linkUrl, newLink, VALID_MS } from './links/links.js';
import { sendLink } from './links/mails.js';
import type { PeopleDeps } from './deps.js';
import type { SignInParts, SignIns } from './signIn.js';
import type { RecoveryDoc } from './store/linkDoc.js';
import type { PlatformCollections } from '../platform/mongo/collections.js';
import type { PeopleCollections } from './store/collections.js';
import { findByEmail } from './store/findByEmail.js';
import type { PersonDoc } from './store/personDocs.js';
import type { From, SignInResult } from './types.js';

/** Mails to one person while the first mailed link is valid: further ones would not help. */
const MAILS_MAX = 5;

/**
 * Mails a person a link of recovery, unless enough were mailed already.
 * @returns whether the mail server took it; null: nothing was mailed
 */
export async function mailRecovery(deps: PeopleDeps, person: PersonDoc): Promise<boolean | null> {
  const { accessLinks, windows } = deps.collections;
  const limits = { all: MAILS_MAX, writes: MAILS_MAX, windowMs: VALID_MS.recovery };
  const use = await useWindow(windows, mailsOf(person._id), limits, false);
  if (!use.allowed) return null;
  const { token, link } = newLink('recovery', deps.clock.now());
  await accessLinks.insertOne({ ...link, person_id: person._id, is_mailed: true });
  const url = linkUrl(deps.baseUrl(), 'recover', token);
  return sendLink(deps, mailOf(addressOf(person.email), url, token));
}

export function createRecoveries(parts: SignInParts, signIns: SignIns) {
  const { deps, guard, passwords, passwordPolicy } = parts;
  const { clock, log, background } = deps;
  const { people, accessLinks, sessions, identities, memberships } = deps.collections;
  const links = createLinks(deps);

  const send = async (email: string): Promise<void> => {
    const person = await findByEmail(people, email);
    if (!person) return;
    if ((await mailRecovery(deps, person)) === false)
      log.warn({ person_id: person._id }, 'a link of recovery could not be mailed');
  };

  const read = async (token: string): Promise<{ link: RecoveryDoc; person: PersonDoc } | null> => {
    const link = await links.read(token);
    if (link?.kind !== 'recovery') return null;
    const person = await people.findOne({ _id: link.person_id });
    return person && { link, person };
  };

  /**
   * A mailed link proves the owner of an unproved address, and so does an operator who returns the address to its owner: the
   * earlier second factor and identities are removed, and in the second case the other person's memberships too.
   */
  const change = async (
    { link, person }: { link: RecoveryDoc; person: PersonDoc },
    password_hash: string,
    session: ClientSession,
  ): Promise<void> => {
    const returnsToOwner = link.gives_to_owner === true;
    const provesFirst = returnsToOwner || (link.is_mailed && !person.proved_at);
    const dropsFactor = provesFirst || link.drops_second_factor === true;
    await links.use(link, session);
    // The write comes first: a person who joins another organization at the same time writes the same document.
    await people.updateOne(
      { _id: person._id },
      {
        $set: { password_hash, proved_at: provesFirst ? clock.now() : undefined },
        $inc: { epoch: 1 },
        $unset: { totp_begun: '', ...(dropsFactor ? { totp: '', known: '' } : {}) },
      },
      { session },
    );
    if (link.only_org !== undefined) {
      const elsewhere = { person_id: person._id, org_id: { $ne: link.only_org } };
      if (await memberships.findOne(elsewhere, { session })) throw linkIsOver();
    }
    if (provesFirst) await identities.deleteMany({ person_id: person._id }, { session });
    if (returnsToOwner) await memberships.deleteMany({ person_id: person._id }, { session });
  };

  return {
    /** Whether links of recovery are mailed here; where not, the operator of the installation makes them. */
    isMailed: deps.mail !== null,
    /** Mails a link when the address is known; its answer and its time say nothing of that. @throws `rate_limited` */
    async request(typed: string, from: From): Promise<void> {
      await guard.enterRequest('recovery', from);
      if (normalizeEmail(typed) === null || deps.mail === null) return;
      // The caller does not wait for it: the time taken would reveal whether the address is known.
      background.add(
        send(typed).catch((error: unknown) => log.warn({ err: error }, 'recovery failed')),
      );
    },
    /** Whether the link may still be used; changes nothing. */
    async read(token: string): Promise<{ email: string } | null> {
      const found = await read(token);
      return found && { email: found.person.email };
    },
    /**
     * Sets a password, once for a link, ends every session and signs in (where the second factor is on, up to its code).
     * @throws {AppError} `not_found` for a link that is used or over; `validation_failed` with `details`
     */
    async finish(token: string, password: string, from: From): Promise<SignInResult> {
      const found = await read(token);
      if (!found) throw linkIsOver();
      await passwordPolicy.check(password, found.person.email);
      const password_hash = await passwords.hash(password);
      await retryTransaction(
        accessLinks,
        (session) => change(found, password_hash, session),
        'Other requests changed the account at the same time. Open the link again.',
      );
      await endRecovery(deps.collections, found.person._id);
      await sessions.deleteMany({ person_id: found.person._id });
      await guard.forget('password', addressOf(found.person.email), from);
      const person = await people.findOne({ _id: found.person._id });
      if (!person) throw linkIsOver();
      return signIns.afterPassword(person, from);
    },
  };
}

/** After a new password no earlier link is valid, and the count of mails starts again. */
export async function endRecovery(
  {
    accessLinks,
    windows,
  }: Pick<PlatformCollections & PeopleCollections, 'windows' | 'accessLinks'>,
  personId: string,
): Promise<void> {
  await accessLinks.deleteMany({ kind: 'recovery', person_id: personId });
  await windows.deleteOne({ _id: mailsOf(personId) });
}

const mailsOf = (personId: string): string => `recovery:${personId}`;

const mailOf = (to: string, url: string, token: string) => ({
  to,
  token,
  subject: 'Set a new password',
  text:
    'A new password was requested for this address.\n\nIf it was you, open this link within 30 minutes; it works ' +
    `once:\n\n${url}\n\nIf it was not you, ignore this email: your password stays unchanged.\n`,
});
