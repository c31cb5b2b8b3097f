/** The pages behind mailed and copied links: recovery, and the first admin. */
import type { Person } from '../../../../people/types.js';
import { form } from '../render/field.js';
import { paragraph, type PageContent } from '../render/page.js';
import { personFields, type Filled } from '../render/personFields.js';
import { template, type Markup } from '../../../render/template.js';

export const RECOVER_FIELDS = ['email'] as const;
export const RESET_FIELDS = ['password'] as const;
export const SETUP_FIELDS = ['name', 'email', 'password'] as const;

const card = template<{ text: Markup; form: Markup }>(
  '<div class="card"><%= it.text %><%= it.form %></div>\n',
);

const BACK = template('<p><a href="/sign-in">Back to sign-in</a></p>\n')({});

/** Asks for the address of the account whose password is forgotten. */
export const recoverPage = (view: Filled): PageContent => ({
  faults: view.faults,
  title: 'Forgot your password?',
  content: [
    card({
      text: paragraph({
        text: 'Enter the address you sign in with. We send it a link to choose a new password.',
      }),
      form: form({
        action: '/recover',
        button: 'Send link',
        fields: personFields(RECOVER_FIELDS, { ...view, opensHere: true }),
      }),
    }),
    BACK,
  ],
});

/** The same for every address, known or not. */
export const RECOVERY_SENT_PAGE: PageContent = {
  title: 'Check your email',
  content: [
    paragraph({
      text: 'If an account has this address, a link was sent to it. The link works once, within 30 minutes.',
    }),
    paragraph({
      text: 'No email after a few minutes? Ask your admin, or the person who invited you, for a link.',
      isQuiet: true,
    }),
    BACK,
  ],
};

/** Where the service sends no mail, the operator makes the link. */
export const UNMAILED_PAGE: PageContent = {
  title: 'Forgot your password?',
  content: [
    paragraph({
      text: 'This installation does not send email. Ask an admin of your organization for a link to choose a new password: the page Members makes one, by Reset password. The only admin asks the operator of the installation.',
    }),
    BACK,
  ],
};

/** Chooses a new password; the link is not used yet. */
export const resetPage = (view: Filled & { action: string; email: string }): PageContent => ({
  faults: view.faults,
  title: 'Choose a new password',
  content: card({
    text: resetText(view),
    form: form({
      action: view.action,
      button: 'Change password',
      fields: personFields(RESET_FIELDS, { ...view, opensHere: true }),
    }),
  }),
});

const resetText = template<{ email: string }>(
  '<p>For <bdi><%= it.email %></bdi>. All sessions of this account will end, in every browser.</p>\n',
);

export interface SetupView extends Filled {
  person: Person | null;
  action: string;
  organization: string;
  signInPath: string;
}

/** Makes the first admin of an organization: the signed-in person, or a new account. */
export const setupPage = (view: SetupView): PageContent => ({
  faults: view.faults,
  title: 'Set up your account',
  content: card({
    text: setupText(view),
    form: view.person
      ? form({
          action: view.action,
          hidden: { person: view.person.id },
          button: 'Become admin',
        })
      : form({
          action: view.action,
          button: 'Create account',
          fields: personFields(SETUP_FIELDS, {
            ...view,
            opensHere: true,
            with: { password: { label: 'Choose a password' } },
          }),
        }),
  }),
});

const setupText =
  template<SetupView>(`<p>You will be the first admin of <bdi><%= it.organization %></bdi>.</p>
<% if (it.person) { %>
<p>You are signed in as <bdi><%= it.person.name || it.person.email %></bdi> (<bdi><%= it.person.email %></bdi>).</p>
<% } else { %>
<p>Already registered? <a href="<%= it.signInPath %>">Sign in first</a>.</p>
<% } %>
`);

export interface ConsoleLink {
  action: string;
  organization: string;
  /** Whom the link signs in. */
  person: { name: string; email: string };
  /** Who is signed in with this browser now. */
  signedIn: Person | null;
}

/** Opens the console signed in; the link is not used yet. */
export const consoleLinkPage = (view: ConsoleLink): PageContent => ({
  title: 'Open the console',
  content: card({
    text: consoleText(view),
    form: form({ action: view.action, button: 'Open the console' }),
  }),
});

const consoleText =
  template<ConsoleLink>(`<p>You sign in to <bdi><%= it.organization %></bdi> as <bdi><%= it.person.name %></bdi> (<bdi><%= it.person.email %></bdi>). The link works once.</p>
<% if (it.signedIn) { %>
<p>You are signed in as <bdi><%= it.signedIn.email %></bdi> now: that session ends.</p>
<% } %>
`);

/** A link that no longer works, for any reason. */
export const deadLinkPage = (text: string): PageContent => ({
  title: 'This link does not work',
  content: [paragraph({ text }), BACK],
});
