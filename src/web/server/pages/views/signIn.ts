/** The sign-in pages. */
import type { Person } from '../../../../people/types.js';
import type { Faults } from '../faults.js';
import { form } from '../render/field.js';
import type { PageContent } from '../render/page.js';
import { pathWith } from '../returnPath.js';
import { personFields, type Filled } from '../render/personFields.js';
import { template, type Markup } from '../../../render/template.js';

/** Fields of the sign-in form, top down. */
export const SIGN_IN_FIELDS = ['email', 'password'] as const;
export const CODE_FIELDS = ['code'] as const;

export interface SignInView extends Filled {
  next: string | null;
  person: Person | null;
  notice?: string;
}

const content = template<{
  form: Markup;
  person: Person | null;
  goOn: string;
  organization: string;
}>(`<% if (it.person) { %>
<div class="card"><p>You are signed in as <bdi><%= it.person.email %></bdi>. Signing in below replaces this session in every tab of this browser.</p>
<p><a class="button quiet" href="<%= it.goOn %>">Continue as <bdi><%= it.person.name || it.person.email %></bdi></a></p></div>
<% } %>
<div class="card"><%= it.form %></div>
<p><a href="/recover">Forgot your password?</a></p>
<p><a href="<%= it.organization %>">Sign in with your organization</a></p>
`);

/** The form for address and password. */
export function signInPage({ next, person, notice, ...filled }: SignInView): PageContent {
  return {
    title: 'Sign in',
    notice,
    faults: filled.faults,
    content: content({
      person,
      goOn: next ?? '/choose',
      organization: pathWith('/sign-in/organization', { next }),
      form: form({
        action: '/sign-in',
        hidden: { next: next ?? undefined },
        button: 'Sign in',
        fields: personFields(SIGN_IN_FIELDS, {
          ...filled,
          opensHere: person === null,
          with: {
            password: { label: 'Password', autocomplete: 'current-password', hint: undefined },
          },
        }),
      }),
    }),
  };
}

interface CodeView {
  next: string | null;
  /** The person types a backup code, which is no number. */
  isBackup: boolean;
  faults?: Faults;
}

const codeContent = template<{
  form: Markup;
  isBackup: boolean;
  other: string;
}>(`<div class="card">
<% if (it.isBackup) { %>
<p>Enter one of the backup codes that you kept; each works once.</p>
<% } else { %>
<p>Enter the 6-digit code that your authenticator app shows for Leadwire.</p>
<% } %>
<%= it.form %></div>
<p><a href="<%= it.other %>"><%= it.isBackup ? 'Use the authenticator app' : 'No phone? Use a backup code' %></a></p>
<p><a href="/sign-in">Start again</a></p>
`);

/** The form for the code of the authenticator app, with a keypad of digits, or for a backup code. */
export const codePage = ({ next, isBackup, faults }: CodeView): PageContent => ({
  title: 'Enter your code',
  faults,
  content: codeContent({
    isBackup,
    other: pathWith('/sign-in/code', { next, backup: isBackup ? null : '1' }),
    form: form({
      action: '/sign-in/code',
      hidden: { next: next ?? undefined, backup: isBackup ? '1' : undefined },
      button: 'Sign in',
      fields: personFields(CODE_FIELDS, {
        faults,
        opensHere: true,
        with: { code: isBackup ? { label: 'Backup code' } : { inputmode: 'numeric' } },
      }),
    }),
  }),
});
