/** After signing in: the memberships that a person may open, one click each. A single one opens at once. */
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

/** The same through the sign-in page, where this session does not open it. */
const hrefOf = (membership: MembershipView): string =>
  membership.needs_sign_in
    ? pathWith('/sign-in', { next: pathOf(membership) })
    : pathOf(membership);

const KIND_NAMES = { organization: 'Organization', buyer: 'Buyer', supplier: 'Supplier' } as const;

function choiceOf(membership: MembershipView): Choice {
  const { scope, organization, party, needs_sign_in: isStale } = membership;
  const isOrganization = scope.kind === 'organization';
  const parts = [
    isOrganization ? KIND_NAMES.organization : `${KIND_NAMES[scope.kind]} of ${organization}`,
    membership.role,
    ...(isStale ? ['sign in again to open'] : []),
  ];
  return {
    href: hrefOf(membership),
    name: isOrganization ? organization : party,
    about: parts.join(' · '),
  };
}

/** @param memberships none, or several: a single one opens at once */
const choosePage = (memberships: readonly MembershipView[]): PageContent => ({
  title: memberships.length === 0 ? 'No memberships' : 'Choose an account',
  content:
    memberships.length === 0
      ? paragraph({
          text: 'You are not a member of any organization or partner portal. Ask the person who invited you for a new invitation.',
        })
      : list({ choices: memberships.map(choiceOf) }),
});

export const choose = pageEndpoints({
  id: 'choosePage',
  path: '/choose',
  summary: 'Choose what to open',
  description: 'The organizations and partner portals that a person belongs to.',
  show: forPerson('/choose', async (call, { people }, signedIn) => {
    const memberships = await people.memberships(signedIn);
    const [only, ...others] = memberships;
    if (only && others.length === 0 && !only.needs_sign_in) return goTo(pathOf(only));
    return showPage(call, choosePage(memberships));
  }),
});
