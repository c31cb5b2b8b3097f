/** Wires the parts of `src/people` together. */
import { AppError } from '../lib/errors.js';
import { createAccounts } from './account.js';
import type { PeopleDeps } from './deps.js';
import { createInvites } from './links/invites.js';
import { createMembers } from './members/members.js';
import { createMemberships } from './memberships.js';
import { createOidc } from './oidc/oidc.js';
import type { People } from './people.js';
import { createRecoveries } from './recovery.js';
import { createGuard } from './security/guard.js';
import { createPasswordPolicy } from './security/passwordPolicy.js';
import { createPasswords } from './security/passwords.js';
import { createSecondFactor } from './security/totp.js';
import { createSessions, type Sessions } from './sessions/sessions.js';
import { createSignIns, refuseOidc, type SignInParts } from './signIn.js';

export function createPeople(deps: PeopleDeps): People {
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
    session: (token) => sessions.read(token),
    signIn: (input, from) => signIns.signIn(input, from),
    isCodeNeeded: (token) => signIns.isCodeNeeded(token),
    secondFactor: (token, code, from) => signIns.secondFactor(token, code, from),
    signOut: (token) => signIns.signOut(token),
    confirmFresh: (signedIn, proof, from) => signIns.confirmFresh(signedIn, proof, from),
    account: createAccounts(parts, signIns),
    recovery: createRecoveries(parts, signIns),
    invites: createInvites(parts, signIns),
    sessions: ownSessions(sessions),
    members: createMembers(deps, sessions),
    oidc: createOidc(parts, signIns),
  };
}

/** A person's own sessions, only for a session begun with the password. */
const ownSessions = (sessions: Sessions): People['sessions'] => ({
  async list(signedIn) {
    refuseOidc(signedIn);
    return sessions.list({ person_id: signedIn.person.id }, signedIn.session_id);
  },
  async revoke(signedIn, id) {
    refuseOidc(signedIn);
    const isEnded = await sessions.end({ person_id: signedIn.person.id, id });
    if (!isEnded) throw new AppError('not_found', 'There is no such session.');
  },
  async revokeOthers(signedIn) {
    refuseOidc(signedIn);
    return sessions.endAll({ person_id: signedIn.person.id, id: { $ne: signedIn.session_id } });
  },
});
