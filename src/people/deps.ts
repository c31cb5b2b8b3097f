/** What `src/people` depends on. */
import type { Background } from '../lib/background.js';
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import type { Mail } from '../platform/outbound/mail/mail.js';
import type { OutboundHttp } from '../platform/outbound/http.js';
import type { BreachedPasswords } from '../platform/security/breachedPasswords.js';
import type { Keyring } from '../platform/security/seal.js';
import type { NamedCollections } from './scopes.js';
import type { PasswordCost } from './security/passwords.js';
import type { PlatformCollections } from '../platform/mongo/collections.js';
import type { PeopleCollections } from './store/collections.js';
import type { Inviter, Membership, OrgRole, PartnerRole, Scope } from './types.js';

export interface PeopleDeps {
  collections: PeopleCollections & NamedCollections & Pick<PlatformCollections, 'windows'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Pick<Log, 'warn'>;
  keyring: Keyring;
  /** Null: this installation sends no mail. */
  mail: Mail | null;
  background: Pick<Background, 'add'>;
  outbound: OutboundHttp;
  /** Null: the operator has installed no list of them. */
  breachedPasswords: Pick<BreachedPasswords, 'has'> | null;
  /** Identity providers on private addresses, and without TLS, may be used. */
  allowPrivate: boolean;
  /** The address that links begin with, without a slash at its end or with one. */
  baseUrl: () => string;
  /** Whether what the membership opens exists and is enabled: a disabled portal or a deleted partner is not open. */
  isOpen: (membership: Membership) => Promise<boolean>;
  mayInvite: InviterRights;
  /** For tests only: what a hash of a password costs, instead of the real cost. */
  passwordCost?: PasswordCost;
}

/** Whether the sender of an invitation still exists and may still invite. */
export type InviterRights = (invite: {
  org_id: string;
  scope: Scope;
  role: OrgRole | PartnerRole;
  by: Inviter;
}) => Promise<boolean>;
