/** Sign-in on a database of its own, with its mails at hand, in two processes. */
import type { Collections } from '../../src/app/database.js';
import { createBackground } from '../../src/lib/background.js';
import { createLog } from '../../src/lib/log.js';
import { createPeople, type People } from '../../src/people/people.js';
import type { PeopleDeps } from '../../src/people/deps.js';
import {
  DEVICE_COOKIE,
  SESSION_COOKIE,
  type From,
  type OrgRole,
  type SignedIn,
} from '../../src/people/types.js';
import type { MailContent } from '../../src/platform/outbound/mail/content.js';
import { createOutboundHttp } from '../../src/platform/outbound/http.js';
import { createKeyring } from '../../src/platform/security/seal.js';
import { CHEAP } from '../support/passwordCost.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { makeOrg } from '../support/org.js';

export const PASSWORD = 'four words that differ';
export const INVITER = { kind: 'operator', name: 'Test' } as const;

export interface Arrived {
  email: string;
  membership_id: string;
  token: string;
  device: string;
  signedIn: SignedIn;
}

export interface PeopleBed {
  db: Collections;
  /** Its database, which other beds may share. */
  on: TestDatabase;
  /** The name of the database. */
  database: string;
  people: People;
  /** Another process on the same database. */
  elsewhere: People;
  mails: MailContent[];
  /** Advances the clock of both. */
  skip(ms: number): void;
  now(): Date;
  /** Resolves when background work is done. */
  settled(): Promise<void>;
  org(name?: string): Promise<string>;
  /** A person who was invited and has accepted. */
  join(org: string, role?: OrgRole, email?: string): Promise<Arrived>;
  /** The token and address of a new invitation. */
  invite(org: string, role?: OrgRole, email?: string): Promise<{ token: string; email: string }>;
  /** The session of a token, as another process reads it. */
  read(token: string): Promise<SignedIn | null>;
  stop(): Promise<void>;
}

let drawn = 0;
export const newEmail = (): string => `person.${(drawn += 1)}@example.com`;
/** A client address that no other one in the file has. */
export const newPlace = (device?: string): From => ({
  ip: `198.51.${Math.floor((drawn += 1) / 250)}.${(drawn % 250) + 1}`,
  user_agent: 'Test browser',
  device,
});

export const cookieIn = (cookies: readonly string[], name: string = SESSION_COOKIE): string =>
  cookies
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .split(';')[0] ?? '';

/** The token of the last link in a text. */
export const linkIn = (text: string): string =>
  /\/(?:invite|recover|setup)\/([\w-]{43})/.exec(text)?.[1] ?? '';

/** @param on a database that the caller drops; default: a new one */
export async function openPeople({
  isMailed = false,
  on,
  ...more
}: { isMailed?: boolean; on?: TestDatabase } & Partial<PeopleDeps> = {}): Promise<PeopleBed> {
  const database = on ?? (await openDatabase());
  const db = database.collections;
  const background = createBackground();
  const outbound = createOutboundHttp({ allowPrivate: true });
  const mails: MailContent[] = [];
  let ahead = 0;
  const clock = { now: () => new Date(Date.now() + ahead), monotonic: () => performance.now() };
  const mail = {
    send: ({ content }: { content: MailContent }) => {
      mails.push(content);
      return Promise.resolve({ kind: 'taken' as const, response: '250', refused: [] });
    },
    close: () => Promise.resolve(),
  };
  const deps: PeopleDeps = {
    collections: db,
    clock,
    log: createLog('silent', 'test'),
    keyring: createKeyring('test secret of thirty-two letters'),
    mail: isMailed ? mail : null,
    background,
    outbound,
    breachedPasswords: null,
    allowPrivate: true,
    baseUrl: () => 'http://127.0.0.1:8080/',
    isOpen: () => Promise.resolve(true),
    mayInvite: () => Promise.resolve(true),
    passwordCost: CHEAP,
    ...more,
  };
  const people = createPeople(deps);
  const elsewhere = createPeople(deps);

  const invite: PeopleBed['invite'] = async (org_id, role = 'viewer', email = newEmail()) => {
    const scope = { kind: 'organization' } as const;
    const { invite_url } = await people.members.invite({ org_id, scope, role, email, by: INVITER });
    const text = invite_url ?? mails.findLast(({ to }) => to.includes(email))?.text ?? '';
    return { token: linkIn(text), email };
  };
  const read: PeopleBed['read'] = (token) => elsewhere.session(token);

  return {
    db,
    on: database,
    database: database.name,
    people,
    elsewhere,
    mails,
    invite,
    read,
    skip: (ms) => {
      ahead += ms;
    },
    now: () => clock.now(),
    settled: () => background.idle(10_000),
    org: async (name = 'Acme') => (await makeOrg(db, name))._id,
    async join(org, role = 'admin', given) {
      const { token: link, email } = await invite(org, role, given);
      const input = { name: 'Pat Person', password: PASSWORD };
      const { cookies, membership_id } = await people.invites.accept(link, input, null, newPlace());
      const token = cookieIn(cookies);
      const signedIn = await read(token);
      if (!signedIn || membership_id === null) throw new Error('The session is not there.');
      return { email, membership_id, token, device: cookieIn(cookies, DEVICE_COOKIE), signedIn };
    },
    async stop() {
      await background.idle(5_000);
      await outbound.close();
      if (!on) await database.drop();
    },
  };
}
