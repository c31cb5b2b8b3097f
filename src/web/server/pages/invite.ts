/** Invitations, and the link that makes the first admin. Opening one changes nothing; its button does, once. */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import type { InviteView } from '../../../people/links/invites.js';
import type { SignInResult } from '../../../people/types.js';
import { enter } from './enter.js';
import { faultsOf } from './faults.js';
import {
  fromOf,
  otherPersonPage,
  pageEndpoints,
  personOf,
  textOf,
  type Handle,
} from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import type { Filled } from './render/personFields.js';
import { pathWith } from './returnPath.js';
import { pathOf } from './choose.js';
import { invitePage, INVITED_FIELDS } from './views/invite.js';
import { deadLinkPage, SETUP_FIELDS, setupPage } from './views/links.js';

const OVER = 'It was used, withdrawn or has expired. Ask the sender for a new one.';

const dead = (call: Call): Reply => showPage(call, deadLinkPage(OVER), { status: 404 });

type Kind = 'invite' | 'setup';

const hrefOf = (kind: Kind, token: string): string => `/${kind}/${encodeURIComponent(token)}`;

type Accepted = SignInResult & { membership_id: string | null };

type Refused = Required<Filled>;

function showInvite(call: Call, invite: InviteView, refused?: Refused): Reply {
  const token = call.param('token');
  const action = hrefOf('invite', token);
  const { oidc_org_id: oidcOrgId } = invite;
  return showPage(
    call,
    invitePage({
      ...invite,
      ...refused,
      action,
      party: invite.scope.kind === 'organization' ? null : invite.party,
      role: /^[aeio]/.test(invite.role) ? `an ${invite.role}` : `a ${invite.role}`,
      person: personOf(call),
      signInPath: pathWith('/sign-in', { next: action }),
      singleSignOn:
        oidcOrgId === undefined
          ? null
          : { action: `/oidc/${encodeURIComponent(oidcOrgId)}/start`, invite: token },
    }),
  );
}

function showSetup(call: Call, { organization }: InviteView, refused?: Refused): Reply {
  const action = hrefOf('setup', call.param('token'));
  const signInPath = pathWith('/sign-in', { next: action });
  const view = { ...refused, organization, action, signInPath, person: personOf(call) };
  return showPage(call, setupPage(view));
}

/** The page of the new membership; the link again, while a second factor is required. */
const openedBy = ({ scope }: InviteView, { membership_id: id }: Accepted, link: string): string =>
  id === null ? link : pathOf({ id, scope });

interface LinkForm {
  kind: Kind;
  fields: readonly string[];
  page: (call: Call, found: InviteView, refused?: Refused) => Reply;
  /** What is shown again when it is refused. */
  valuesOf: (call: Call) => { name: string; email?: string };
}

/** Accepts the link, once. */
const accepts =
  ({ kind, fields, page, valuesOf }: LinkForm): Handle =>
  async (call, { people }) => {
    const token = call.param('token');
    const { session } = call;
    const found = await people.invites.read(token, session);
    if (found?.kind !== kind) return dead(call);
    const href = hrefOf(kind, token);
    const elsewhere = otherwiseSignedIn(call, href);
    if (elsewhere) return elsewhere;
    const values = valuesOf(call);
    try {
      const known = session && kind === 'setup' ? { email: session.person.email } : {};
      const input = session ? known : { ...values, password: textOf(call, 'password') };
      const result = await people.invites.accept(token, input, session, fromOf(call));
      return await enter(call, people, result, openedBy(found, result, href));
    } catch (error) {
      const faults = faultsOf(error, fields, 'password');
      return faults.status === 404 ? dead(call) : page(call, found, { faults, values });
    }
  };

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
  submit: accepts({
    kind: 'invite',
    fields: INVITED_FIELDS,
    page: showInvite,
    valuesOf: (call) => ({ name: textOf(call, 'name') }),
  }),
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
  submit: accepts({
    kind: 'setup',
    fields: SETUP_FIELDS,
    page: showSetup,
    valuesOf: (call) => ({ name: textOf(call, 'name'), email: textOf(call, 'email').trim() }),
  }),
});

/** A form names the person who was signed in when it was shown: another person accepts nothing with it. */
function otherwiseSignedIn(call: Call, href: string): Reply | null {
  const { session } = call;
  const meant = textOf(call, 'person');
  if (meant === (session?.person.id ?? '')) return null;
  return session
    ? otherPersonPage(call, session, href)
    : goTo(pathWith('/sign-in', { next: href }));
}
