/** The sign-ins of organizations on the account page: those that are connected, and those that can be. */
import type { People } from '../../../../people/people.js';
import type { Identity } from '../../../../people/oidc/identities.js';
import type { SignedIn } from '../../../../people/types.js';
import { momentOf, type Moment } from '../moment.js';
import { form } from '../render/field.js';
import { paragraph } from '../render/page.js';
import { template, type Markup } from '../../../render/template.js';
import { confirmLink, section } from './sections.js';

interface Row {
  organization: string;
  issuer: string;
  since: Moment;
  disconnect: Markup | undefined;
}

const list = template<{ rows: readonly Row[] }>(`<ul class="plain">
<% for (const row of it.rows) { %>
<li><p><strong><%= row.organization %></strong></p>
<dl><dt>Provider</dt><dd><%= row.issuer %></dd>
<dt>Connected</dt><dd><time datetime="<%= row.since.iso %>"><%= row.since.text %></time></dd></dl>
<%= row.disconnect %></li>
<% } %>
</ul>
`);

/** Empty where there is nothing to connect, and nothing connected. */
export async function signInSections(people: People, signedIn: SignedIn): Promise<Markup[]> {
  const [connected, offered] = await Promise.all([
    people.oidc.identities.list(signedIn),
    offersOf(people, signedIn),
  ]);
  if (connected.length + offered.length === 0) return [];
  const { is_fresh: isFresh, person } = signedIn;
  const rows = connected.map((one): Row => {
    const since = momentOf(one.created_at);
    return {
      organization: one.organization,
      issuer: one.issuer,
      since,
      disconnect: isFresh ? disconnectForm(person.id, one, since) : undefined,
    };
  });
  const none = paragraph({ text: 'No sign-in is connected to your account.', isQuiet: true });
  return [
    section({
      id: 'sign-ins',
      title: 'Organization sign-ins',
      text: 'A connected sign-in gives access to everything its organization opens to you, even after you change your password. Disconnect any that you do not recognize.',
      content: [
        rows.length === 0 ? none : list({ rows }),
        ...(isFresh ? offered.map((one) => connectForm(person.id, one)) : [confirmLink]),
      ],
    }),
  ];
}

interface Offer {
  orgId: string;
  name: string;
}

/** The organizations of the person that have their own sign-in. */
async function offersOf(people: People, signedIn: SignedIn): Promise<Offer[]> {
  const memberships = await people.memberships(signedIn);
  const organizations = new Map(memberships.map((one) => [one.org_id, one.organization]));
  const offers = await Promise.all(
    [...organizations].map(async ([orgId, name]) => {
      const settings = await people.oidc.settings(orgId);
      return settings?.is_enabled === true ? [{ orgId, name }] : [];
    }),
  );
  return offers.flat();
}

const connectForm = (personId: string, { orgId, name }: Offer): Markup =>
  form({
    action: `/oidc/${encodeURIComponent(orgId)}/start`,
    hidden: { person: personId, link: '1' },
    button: `Connect ${name}`,
    kind: 'quiet',
  });

const disconnectForm = (personId: string, { id, organization }: Identity, since: Moment): Markup =>
  form({
    action: '/account/sign-ins/disconnect',
    hidden: { person: personId, identity: id },
    button: 'Disconnect',
    describes: `Disconnect ${organization}, connected ${since.text}`,
    kind: 'danger',
  });
