/** Invitations, and the link that makes the first admin. Opening one changes nothing; its button does, once. */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import type { InviteView } from '../../../people/people.js';
import type { SignInResult } from '../../../people/types.js';
import { enter } from './enter.js';
import { faultsOf, type Faults } from './faults.js';
import { fromOf, otherPersonPage, pageEndpoints, textOf } from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import { pathWith } from './returnPath.js';
import { roleWithArticle } from './roles.js';
import { pathOf } from './views/choose.js';
import { invitePage, INVITED_FIELDS } from './views/invite.js';
import { deadLinkPage, SETUP_FIELDS, setupPage } from './views/links.js';

const OVER = 'It was used or withdrawn, or has expired. Ask the person who sent it for a new one.';

const dead = (call: Call): Reply => showPage(404, deadLinkPage(call.session?.person ?? null, OVER));

const hrefOf = (kind: 'invite' | 'setup', token: string): string =>
  `/${kind}/${encodeURIComponent(token)}`;

type Accepted = SignInResult & { membership_id: string | null };

interface Refused {
  faults: Faults;
  values: Partial<Record<string, string>>;
}

function showInvite(call: Call, invite: InviteView, refused?: Refused): Reply {
  const action = hrefOf('invite', call.param('token'));
  const { oidc_org_id: oidcOrgId } = invite;
  return showPage(
    refused?.faults.status ?? 200,
    invitePage({
      ...invite,
      ...refused,
      action,
      party: invite.scope.kind === 'organization' ? null : invite.party,
      role: roleWithArticle(invite),
      person: call.session?.person ?? null,
      signInPath: pathWith('/sign-in', { next: action }),
      singleSignOn:
        oidcOrgId === undefined
          ? null
          : { action: `/oidc/${encodeURIComponent(oidcOrgId)}/start`, invite: call.param('token') },
    }),
    { headers: refused?.faults.headers ?? {} },
  );
}

function showSetup(call: Call, { organization }: InviteView, refused?: Refused): Reply {
  return showPage(
    refused?.faults.status ?? 200,
    setupPage({
      ...refused,
      organization,
      action: hrefOf('setup', call.param('token')),
      signInPath: pathWith('/sign-in', { next: hrefOf('setup', call.param('token')) }),
      person: call.session?.person ?? null,
    }),
    { headers: refused?.faults.headers ?? {} },
  );
}

/** The page of the new membership; the link again, while a second factor is required. */
const openedBy = ({ scope }: InviteView, { membership_id: id }: Accepted, link: string): string =>
  id === null ? link : pathOf({ id, scope });

export const invite = pageEndpoints({
  id: 'invitePage',
  path: '/invite/:token',
  change: 'accept_invitation',
  summary: 'An invitation',
  description:
    'Shows who invites, and nothing about accounts. Opening it changes nothing; its form accepts it, once.',
  show: async (call, { people }) => {
    const token = call.param('token');
    const found = await people.invites.read(token, call.session);
    if (!found) return dead(call);
    return found.kind === 'setup' ? goTo(hrefOf('setup', token)) : showInvite(call, found);
  },
  submit: async (call, { people }) => {
    const token = call.param('token');
    const { session } = call;
    const found = await people.invites.read(token, session);
    if (found?.kind !== 'invite') return dead(call);
    const values = { name: textOf(call, 'name') };
    const elsewhere = otherwiseSignedIn(call, hrefOf('invite', token));
    if (elsewhere) return elsewhere;
    try {
      const input = session ? {} : { ...values, password: textOf(call, 'password') };
      const result = await people.invites.accept(token, input, session, fromOf(call));
      return await enter(call, people, result, openedBy(found, result, hrefOf('invite', token)));
    } catch (error) {
      const faults = faultsOf(error, INVITED_FIELDS, 'password');
      return faults.status === 404 ? dead(call) : showInvite(call, found, { faults, values });
    }
  },
});

export const setup = pageEndpoints({
  id: 'setupPage',
  path: '/setup/:token',
  change: 'become_first_admin',
  summary: 'Make the first admin',
  description:
    'The link that `leadwire init` prints. Opening it changes nothing; its form uses it, once.',
  show: async (call, { people }) => {
    const found = await people.invites.read(call.param('token'), call.session);
    return found?.kind === 'setup' ? showSetup(call, found) : dead(call);
  },
  submit: async (call, { people }) => {
    const token = call.param('token');
    const { session } = call;
    const found = await people.invites.read(token, session);
    if (found?.kind !== 'setup') return dead(call);
    const elsewhere = otherwiseSignedIn(call, hrefOf('setup', token));
    if (elsewhere) return elsewhere;
    const values = { name: textOf(call, 'name'), email: textOf(call, 'email').trim() };
    try {
      const input = session
        ? { email: session.person.email }
        : { ...values, password: textOf(call, 'password') };
      const result = await people.invites.accept(token, input, session, fromOf(call));
      return await enter(call, people, result, openedBy(found, result, hrefOf('setup', token)));
    } catch (error) {
      const faults = faultsOf(error, SETUP_FIELDS, 'password');
      return faults.status === 404 ? dead(call) : showSetup(call, found, { faults, values });
    }
  },
});

/** A form names the person who was signed in when it was shown: another person accepts nothing with it. */
function otherwiseSignedIn(call: Call, href: string): Reply | null {
  const { session } = call;
  const meant = textOf(call, 'person');
  if (meant === (session?.person.id ?? '')) return null;
  return session ? otherPersonPage(session, href) : goTo(pathWith('/sign-in', { next: href }));
}
