/** People, their sessions and their memberships: what the HTTP layer, the pages and the actions ask. */
import { AppError } from '../lib/errors.js';
import { createAccounts } from './account.js';
import type { PeopleDeps } from './deps.js';
import type { Entered } from './entered.js';
import { createConsoleLinks } from './links/consoleLinks.js';
import { createInvites } from './links/invites.js';
import { createMembers } from './members/members.js';
import { createMemberships } from './memberships.js';
import { createOidc } from './oidc/oidc.js';
import { createRecoveries } from './recovery.js';
import { createGuard } from './security/guard.js';
import { createPasswordPolicy } from './security/passwordPolicy.js';
import { createPasswords } from './security/passwords.js';
import { createSecondFactor } from './security/totp.js';
import { createSessions, type Sessions } from './sessions/sessions.js';
import { createSignIns, refuseOidc, type SignInParts } from './signIn.js';
import type { SessionInfo, SignedIn } from './types.js';

export type People = ReturnType<typeof createPeople>;

export function createPeople(deps: PeopleDeps) {
  const sessions = createSessions(deps);
  const parts: SignInParts = {
    deps,
    sessions,
    guard: createGuard(deps),
    passwords: createPasswords(deps.passwordCost),
    passwordPolicy: createPasswordPolicy(deps),
    secondFactor: createSecondFactor(deps),
  };
  const signIns = createSignIns(parts);
  return {
    ...createMemberships(deps),
    ...signIns.entry,
    /**
     * The live session of a token, read again each time; null for every other token. Writes that it was seen at most once
     * a minute.
     */
    session: (token: string | undefined): Promise<SignedIn | null> => sessions.read(token),
    /** The same, with the membership that the request names. */
    enter: (token: string | undefined, membershipId?: string): Promise<Entered | null> =>
      sessions.enter(token, membershipId),
    /** Whether that session goes on; looking does not keep it alive. */
    isSessionLive: ({ session_id, person }: SignedIn): Promise<boolean> =>
      sessions.isLive(session_id, person.id),
    account: createAccounts(parts, signIns),
    recovery: createRecoveries(parts, signIns),
    invites: createInvites(parts, signIns),
    consoleLinks: createConsoleLinks(parts, signIns),
    sessions: ownSessions(sessions),
    members: createMembers(deps, sessions),
    oidc: createOidc(parts, signIns),
  };
}

/** A person's own sessions, only for a session begun with the password. */
const ownSessions = (sessions: Sessions) => ({
  /** Live ones of this person, newest first. @throws {AppError} `forbidden` by OIDC */
  async list(signedIn: SignedIn): Promise<SessionInfo[]> {
    refuseOidc(signedIn);
    return sessions.list({ person_id: signedIn.person.id }, signedIn.session_id);
  },
  /** Ends one at once, in every process. @throws {AppError} `not_found`; `forbidden` by OIDC */
  async revoke(signedIn: SignedIn, id: string): Promise<void> {
    refuseOidc(signedIn);
    const isEnded = await sessions.end({ person_id: signedIn.person.id, id });
    if (!isEnded) throw new AppError('not_found', 'There is no such session.');
  },
  /** Ends all but this one. @returns how many */
  async revokeOthers(signedIn: SignedIn): Promise<number> {
    refuseOidc(signedIn);
    return sessions.endAll({ person_id: signedIn.person.id, id: { $ne: signedIn.session_id } });
  },
});
