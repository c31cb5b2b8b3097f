/** After signing in: the memberships that a person may open, one click each. A single one opens at once. */
import type { Call } from '../../../api/http/endpoint.js';
import type { MembershipView } from '../../../people/memberships.js';
import type { Membership } from '../../../people/types.js';
import { forPerson, pageEndpoints } from './pageEndpoint.js';
import { goTo, paragraph, showPage, type PageContent } from './render/page.js';
import { template } from '../../render/template.js';
import { pathWith } from './returnPath.js';

interface Choice {
  href: string;
  name: string;
  about: string;
}

const list = template<{ choices: readonly Choice[] }>(`<ul class="plain choices">
<% for (const choice of it.choices) { %>
<li><a href="<%= choice.href %>"><strong><bdi><%= choice.name %></bdi></strong><%= choice.about %></a></li>
<% } %>
</ul>
`);

/** The page of a membership. */
export const pathOf = ({ id, scope }: Pick<Membership, 'id' | 'scope'>): string =>
  scope.kind === 'organization' ? `/org/${id}` : `/portal/${id}`;

/** What a link from elsewhere, such as `leadwire open`, leads to: it knows the organization, but no membership. */
interface Aim {
  /** The id of an organization, in the place of all memberships. */
  org: string | null;
  /** A page of the organization, such as `partners/buyer/ID`. */
  page: string | null;
}

/** A page of this service and nothing else: names and ids, without dots. */
const PAGE = /^[\w-]{1,100}(?:\/[\w-]{1,100}){0,3}$/;

/** The page that the address asks for; null: none, or no page of this service. */
export function pageGiven(call: Call): string | null {
  const page = call.query().get('page');
  return page !== null && PAGE.test(page) ? page : null;
}

const aimOf = (call: Call): Aim => ({ org: call.query().get('org'), page: pageGiven(call) });

const placeOf = (membership: MembershipView, { page }: Aim): string =>
  page !== null && membership.scope.kind === 'organization'
    ? `${pathOf(membership)}/${page}`
    : pathOf(membership);

/** The same through the sign-in page, where this session does not open it. */
function hrefOf(membership: MembershipView, aim: Aim): string {
  const place = placeOf(membership, aim);
  return membership.needs_sign_in ? pathWith('/sign-in', { next: place, again: '1' }) : place;
}

const KIND_NAMES = { organization: 'Organization', buyer: 'Buyer', supplier: 'Supplier' } as const;

function choiceOf(membership: MembershipView, aim: Aim): Choice {
  const { scope, organization, party, needs_sign_in: isStale } = membership;
  const isOrganization = scope.kind === 'organization';
  const parts = [
    isOrganization ? KIND_NAMES.organization : `${KIND_NAMES[scope.kind]} of ${organization}`,
    membership.role,
    ...(isStale ? ['sign in again to open'] : []),
  ];
  return {
    href: hrefOf(membership, aim),
    name: isOrganization ? organization : party,
    about: parts.join(' · '),
  };
}

/** @param memberships none, or several: a single one opens at once */
const choosePage = (memberships: readonly MembershipView[], aim: Aim): PageContent => ({
  title: memberships.length === 0 ? 'No memberships' : 'Choose an account',
  content:
    memberships.length === 0
      ? paragraph({
          text: 'You are not a member of any organization or partner portal. Ask the person who invited you for a new invitation.',
        })
      : list({ choices: memberships.map((one) => choiceOf(one, aim)) }),
});

export const choose = pageEndpoints({
  id: 'choosePage',
  path: '/choose',
  summary: 'Choose what to open',
  description: 'The organizations and partner portals that a person belongs to.',
  show: (call, deps) => {
    const aim = aimOf(call);
    return forPerson(pathWith('/choose', { ...aim }), async (_call, { people }, signedIn) => {
      const all = await people.memberships(signedIn);
      const aimed = all.filter(
        ({ org_id, scope }) => org_id === aim.org && scope.kind === 'organization',
      );
      const memberships = aimed.length > 0 ? aimed : all;
      const [only, ...others] = memberships;
      if (only && others.length === 0 && !only.needs_sign_in) return goTo(placeOf(only, aim));
      return showPage(call, choosePage(memberships, aim));
    })(call, deps);
  },
});
