/** What a person sees who opens an invitation. */
import type { Person } from '../../../../people/types.js';
import { form } from '../render/field.js';
import type { PageContent } from '../render/page.js';
import { personFields, type Filled } from '../render/personFields.js';
import { template, type Markup } from '../../../render/template.js';

export const NEW_PERSON_FIELDS = ['name', 'password'] as const;

export interface InviteView extends Filled {
  /** Where its forms lead. */
  action: string;
  /** Who invites. */
  organization: string;
  /** The buyer or supplier that one joins; null: the organization itself. */
  party: string | null;
  /** In words. */
  role: string;
  email: string;
  /** Of the invited address: whether it has an account, and whether that is signed in. */
  needs: 'create' | 'sign_in' | 'accept';
  person: Person | null;
  /** The organization's own sign-in, where it has one: it accepts at once. */
  singleSignOn: { action: string; invite: string } | null;
  signInPath: string;
}

interface Parts extends InviteView {
  accept: Markup;
  oidc: Markup | undefined;
  join: Markup;
}

const content = template<Parts>(`<div class="card">
<p><bdi><%= it.organization %></bdi> invites <bdi><%= it.email %></bdi><% if (it.party) { %> to work for <bdi><%= it.party %></bdi> in its partner portal<% } else { %> to join it<% } %>, as <%= it.role %>.</p>
<% if (it.person) { %>
<p>You are signed in as <bdi><%= it.person.name || it.person.email %></bdi> (<bdi><%= it.person.email %></bdi>).</p>
<% if (it.needs === 'accept') { %>
<%= it.accept %>
<% } else { %>
<p>The invitation is for another address. Sign out, and open the link again.</p>
<% } %>
<% } else { %>
<% if (it.needs === 'sign_in') { %>
<p>This address has an account here. <a href="<%= it.signInPath %>">Sign in first</a>, then accept.</p>
<% } %>
<%= it.oidc %>
<% } %>
</div>
<% if (!it.person && it.needs === 'create') { %>
<section aria-labelledby="new-here"><h2 id="new-here">New here?</h2>
<%= it.join %></section>
<% } %>
<p class="quiet-text">If you expect no invitation, close this page. Nothing happens until you accept.</p>
`);

/** Nothing is accepted before one of the buttons is pressed. */
export function invitePage(view: InviteView): PageContent {
  const { action, person, faults, singleSignOn } = view;
  return {
    title: 'You are invited',
    person,
    alert: faults?.alert,
    isFaulty: faults !== undefined,
    content: content({
      ...view,
      accept: form({
        action,
        hidden: { person: person?.id },
        button: 'Accept the invitation',
      }),
      oidc: singleSignOn
        ? form({
            action: singleSignOn.action,
            hidden: { invite: singleSignOn.invite },
            button: "Accept with the organization's sign-in",
            kind: 'quiet',
          })
        : undefined,
      join: form({
        action,
        button: 'Create an account and accept',
        fields: personFields(NEW_PERSON_FIELDS, {
          ...view,
          with: { password: { label: 'Choose a password' } },
        }),
      }),
    }),
  };
}
