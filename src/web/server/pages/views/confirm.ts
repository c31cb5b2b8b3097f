/** The pages for a person who confirms a sign-in. */
import type { SignedIn } from '../../../../people/types.js';
import type { Faults } from '../faults.js';
import { form } from '../render/field.js';
import { paragraph, type PageContent } from '../render/page.js';
import { personFields } from '../render/personFields.js';
import { template, type Markup } from '../../../render/template.js';
import { pathWith } from '../returnPath.js';

export const CONFIRM_FIELDS = ['current_password', 'code'] as const;

interface ConfirmView {
  signedIn: SignedIn;
  hasTotp: boolean;
  next: string | null;
  /** The person has signed in there for this, and the provider did not state the time. */
  isRepeated?: boolean;
  faults?: Faults;
}

const card = template<{ text: string; content: Markup }>(
  '<div class="card"><p><%= it.text %></p>\n<%= it.content %></div>\n',
);

const link = template<{ href: string; text: string }>(
  '<p><a class="button" href="<%= it.href %>"><%= it.text %></a></p>\n',
);

const SIGN_IN_THERE = 'You signed in with your organization. Sign in there again to continue.';
const NOT_CONFIRMED =
  "Your organization's sign-in did not confirm that you just signed in. Try again. If this page returns, ask your admin to have it send the sign-in time (auth_time), or sign in with your password.";

/** Asks for the password, or a code; a person who used the organization's sign-in does so again. */
export function confirmPage(view: ConfirmView): PageContent {
  const { signedIn, hasTotp, next, faults, isRepeated = false } = view;
  const { person, oidc_org_id: oidcOrgId } = signedIn;
  const title = 'Confirm your identity';
  if (oidcOrgId !== undefined) {
    const path = `/oidc/${encodeURIComponent(oidcOrgId)}/start`;
    const back = pathWith('/confirm', { next, again: '1' });
    const content = link({
      href: pathWith(path, { confirms: '1', next: back }),
      text: 'Sign in again',
    });
    const text = isRepeated ? NOT_CONFIRMED : SIGN_IN_THERE;
    return { title, content: card({ text, content }) };
  }
  return {
    title,
    faults,
    content: card({
      text: hasTotp
        ? 'Enter a code from your authenticator app, or a backup code.'
        : 'Confirm your password to continue.',
      content: form({
        action: '/confirm',
        hidden: { person: person.id, next: next ?? undefined },
        button: 'Confirm',
        fields: personFields([hasTotp ? 'code' : 'current_password'], {
          faults,
          opensHere: true,
          with: { current_password: { label: 'Password' } },
        }),
      }),
    }),
  };
}

/** It was confirmed recently. */
export const confirmedPage = (next: string | null): PageContent => ({
  title: 'Confirmed',
  content: [
    paragraph({ text: 'You will not be asked again for 15 minutes.' }),
    link({ href: next ?? '/choose', text: 'Continue' }),
  ],
});
