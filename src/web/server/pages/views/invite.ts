/** The page of an invitation. */
import type { Person } from '../../../../people/types.js';
import { form } from '../render/field.js';
import type { PageContent } from '../render/page.js';
import { personFields, type Filled } from '../render/personFields.js';
import { template, type Markup } from '../../../render/template.js';

export const INVITED_FIELDS = ['password', 'name'] as const;

export interface InviteView extends Filled {
  /** Where its forms lead. */
  action: string;
  /** The organization that invites. */
  organization: string;
  /** The buyer or supplier to join; null: the organization itself. */
  party: string | null;
  /** With its article. */
  role: string;
  email: string;
  /** What accepting requires. The page is the same whether or not the address has an account. */
  needs: 'password' | 'accept' | 'other';
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
<p>The invitation is for another account. Sign out and open the link again.</p>
<% } %>
<% } else { %>
<%= it.join %>
<%= it.oidc %>
<% } %>
</div>
<% if (!it.person) { %>
<p><a href="/recover">Forgot your password?</a> Or <a href="<%= it.signInPath %>">sign in first</a>, then accept.</p>
<% } %>
<p class="quiet-text">If you did not expect this invitation, close this page. Nothing happens until you accept.</p>
`);

const PASSWORD_HINT =
  'New here? Choose a password of at least 12 characters. Already registered? Enter yours.';

/** Nothing is accepted before the person presses one of the buttons. */
export function invitePage(view: InviteView): PageContent {
  const { action, person, faults, singleSignOn } = view;
  return {
    title: 'You have been invited',
    faults,
    content: content({
      ...view,
      accept: form({
        action,
        hidden: { person: person?.id },
        button: 'Accept invitation',
      }),
      oidc: singleSignOn
        ? form({
            action: singleSignOn.action,
            hidden: { invite: singleSignOn.invite },
            button: "Accept with your organization's sign-in",
            kind: 'quiet',
          })
        : undefined,
      join: form({
        action,
        button: 'Accept invitation',
        fields: personFields(INVITED_FIELDS, {
          ...view,
          with: {
            password: { label: 'Password', hint: PASSWORD_HINT },
            name: { isOptional: true, hint: 'Required for a new account.' },
          },
        }),
      }),
    }),
  };
}
