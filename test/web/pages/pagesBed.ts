/** The service with an organization, a buyer, a mail server, and links as an operator creates them. */
import { randomUUID } from 'node:crypto';
import { createBuyer } from '../../../src/account/buyers/buyers.js';
import { createInviterRights } from '../../../src/api/console/inviterRights.js';
import { createBackground } from '../../../src/lib/background.js';
import { systemClock } from '../../../src/lib/clock.js';
import { createLog } from '../../../src/lib/log.js';
import { createPeople, type People } from '../../../src/people/people.js';
import { settingsId } from '../../../src/portal/settings.js';
import type { Inviter, OrgRole, PartnerRole, Scope } from '../../../src/people/types.js';
import { startMailServer, type MailServer } from '../../platform/outbound/mailServer.js';
import { CHEAP } from '../../support/passwordCost.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { createVisitor, type PageView, type Visitor } from './visitor.js';

export const PASSWORD = 'four words of no meaning';
export const OPERATOR: Inviter = { kind: 'operator', name: 'Olga' };

export interface PagesBed extends Testbed {
  people: People;
  org: { id: string; name: string };
  visitor(agent?: string): Visitor;
  /** The path of a new invitation. */
  invite(options?: Partial<Invitation>): Promise<{ path: string; email: string }>;
  /** The scope of a new buyer, whose portal is open. */
  buyer(name?: string): Promise<Scope>;
  /** A person who accepted an invitation with a password, signed in. */
  member(options?: Partial<Invitation>): Promise<Member>;
  /** The path of the newest link that was mailed to the address. */
  mailedPath(email: string): Promise<string>;
  mailsTo(email: string): number;
}

interface Invitation {
  org_id: string;
  scope: Scope;
  role: OrgRole | PartnerRole;
  email: string;
  /** Default: an operator of the installation. */
  by: Inviter;
}

export interface Member {
  email: string;
  visitor: Visitor;
  /** The page that the invitation led to. */
  path: string;
}

export const anEmail = (): string => `mia-${randomUUID().slice(0, 8)}@people.example`;

/** @param settings of the service, in addition to those for mail */
export async function startPagesBed(settings: Record<string, string> = {}): Promise<PagesBed> {
  const mail = await startMailServer();
  const bed = await startTestbed({
    role: 'api',
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      SMTP_FROM: 'Leadwire <portal@sender.example>',
      ...settings,
    },
  });
  bed.onStop(() => mail.stop());
  const { deps } = bed.service;
  const log = createLog('silent', 'test');
  const people = createPeople({
    ...deps,
    clock: systemClock,
    log,
    mail: null,
    background: createBackground(),
    breachedPasswords: null,
    allowPrivate: true,
    baseUrl: () => bed.url,
    isOpen: () => Promise.resolve(true),
    mayInvite: createInviterRights({ collections: bed.collections, clock: systemClock }),
    passwordCost: CHEAP,
  });
  const org = await makeOrg(bed.collections, 'Acme Leads');
  const visitor = (agent?: string) => createVisitor(bed.url, agent);

  const invite: PagesBed['invite'] = async (options = {}) => {
    const email = options.email ?? anEmail();
    const { invite_url: url } = await people.members.invite({
      org_id: org._id,
      scope: { kind: 'organization' },
      role: 'operator',
      by: OPERATOR,
      ...options,
      email,
    });
    return { path: new URL(url ?? '').pathname, email };
  };
  const buyer: PagesBed['buyer'] = async (name = `Buyer ${randomUUID().slice(0, 8)}`) => {
    const { buyer } = await createBuyer(accountOf(bed, org._id), { name });
    const { _id } = buyer;
    await bed.collections.portalSettings.insertOne({
      _id: settingsId(org._id, 'buyer', _id),
      org_id: org._id,
      side: 'buyer',
      party_id: _id,
      is_enabled: true,
      created_at: new Date(),
      updated_at: new Date(),
    });
    return { kind: 'buyer', buyer_id: _id };
  };
  return {
    ...bed,
    people,
    buyer,
    org: { id: org._id, name: org.name },
    visitor,
    invite,
    async member(options) {
      const { path, email } = await invite(options);
      const guest = visitor();
      const page = await guest.open(path);
      const done = await guest.submit(page, path, { name: 'Mia Member', password: PASSWORD });
      if (done.status !== 303) throw new Error(`The invitation was not accepted:\n${done.text}`);
      return { email, visitor: guest, path: done.location };
    },
    mailedPath: (email) => mailedPath(mail, email),
    mailsTo: (email) => mail.received.filter(({ to }) => to.includes(email)).length,
  };
}

async function mailedPath(mail: MailServer, email: string): Promise<string> {
  const newest = () => mail.received.findLast(({ to }) => to.includes(email));
  await waitFor(() => newest() !== undefined, { message: `a mail to ${email}` });
  const text = newest()?.raw.replace(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
  return new URL(/https?:\/\/[^\s"<]+/.exec(text)?.[0] ?? 'http://none.example').pathname;
}

/** Types address and password on the sign-in page. */
export async function signIn(
  visitor: Visitor,
  {
    email,
    password = PASSWORD,
    at = '/sign-in?again=1',
  }: { email: string; password?: string; at?: string },
): Promise<PageView> {
  const page = await visitor.open(at);
  return visitor.submit(page, '/sign-in', { email, password });
}
