/** The parts of the account page: name, password, two-step sign-in. */
import { form } from '../render/field.js';
import { personFields, type Filled } from '../render/personFields.js';
import { template, type Markup } from '../../../render/template.js';

/** A form of the page whose request was refused. */
export interface Refused extends Required<Filled> {
  /** Absent: a button without fields. */
  form: 'name' | 'password' | 'disable' | undefined;
}

export interface SectionInput {
  personId: string;
  name: string;
  refused: Refused | undefined;
}

interface Section {
  id: string;
  title: string;
  text?: string;
  content: Markup | readonly Markup[];
}

const fillSection = template<Section>(`<section aria-labelledby="<%= it.id %>">
<h2 id="<%= it.id %>"><%= it.title %></h2>
<% if (it.text) { %>
<p><%= it.text %></p>
<% } %>
<%= it.content %></section>
`);

/** A part of the page under a heading. */
export const section = (given: Section): Markup => fillSection(given);

const filledOf = (name: NonNullable<Refused['form']>, { refused }: SectionInput): Filled =>
  refused?.form === name ? refused : {};

export const NAME_FIELDS = ['name'] as const;
export const PASSWORD_FIELDS = ['current_password', 'password'] as const;

/** Changes the name. */
export const nameSection = (input: SectionInput): Markup =>
  section({
    id: 'your-name',
    title: 'Name',
    content: form({
      action: '/account/name',
      hidden: { person: input.personId },
      button: 'Save name',
      kind: 'quiet',
      fields: personFields(NAME_FIELDS, {
        values: { name: input.name },
        ...filledOf('name', input),
      }),
    }),
  });

/** Changes the password; requires the current one. */
export const passwordSection = (input: SectionInput): Markup =>
  section({
    id: 'your-password',
    title: 'Password',
    text: 'Changing it ends your other sessions.',
    content: form({
      action: '/account/password',
      hidden: { person: input.personId },
      button: 'Change password',
      kind: 'quiet',
      fields: personFields(PASSWORD_FIELDS, filledOf('password', input)),
    }),
  });

export interface TwoStepInput extends SectionInput {
  hasTotp: boolean;
  codesLeft: number;
  isFresh: boolean;
}

/** Turns the second step on or off; a person who has not signed in recently confirms the sign-in first. */
export function twoStepSection(input: TwoStepInput): Markup {
  const { hasTotp, codesLeft, isFresh } = input;
  const left = codesLeft === 1 ? '1 backup code is' : `${codesLeft} backup codes are`;
  return section({
    id: 'two-step',
    title: 'Two-step sign-in',
    text: hasTotp
      ? `On: signing in asks for a code from your authenticator app. ${left} left.`
      : 'Off. When on, signing in also asks for a code from an app on your phone, so a password alone is not enough.',
    content: isFresh ? changesOf(input) : confirmLink,
  });
}

/** In the place of what needs a recent sign-in. */
export const confirmLink = template(
  '<p><a class="button quiet" href="/confirm?next=/account">Confirm your identity to change this</a></p>\n',
)({});

function changesOf(input: TwoStepInput): Markup[] {
  const hidden = { person: input.personId };
  if (!input.hasTotp) {
    return [form({ action: '/account/totp', hidden, button: 'Turn on', kind: 'quiet' })];
  }
  return [
    form({
      action: '/account/backup-codes',
      hidden,
      button: 'Create new backup codes',
      kind: 'quiet',
    }),
    form({
      action: '/account/totp/off',
      hidden,
      button: 'Turn off',
      kind: 'danger',
      fields: personFields(['code'], {
        ...filledOf('disable', input),
        prefix: 'off-',
        with: { code: { hint: 'A code from your app, or a backup code.' } },
      }),
    }),
  ];
}
