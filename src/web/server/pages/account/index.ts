/** The account of the signed-in person: name, password, second step, sessions, connected sign-ins. */
import type { Endpoint } from '../../../../api/http/endpoint.js';
import { AppError } from '../../../../lib/errors.js';
import { faultsOf } from '../faults.js';
import {
  forPerson,
  forSamePerson,
  fromOf,
  pageEndpoints,
  textOf,
  type PageSpec,
  type PersonHandle,
} from '../pageEndpoint.js';
import { goTo, showPage } from '../render/page.js';
import { showAccount } from './page.js';
import { NAME_FIELDS, PASSWORD_FIELDS, type Refused } from './sections.js';
import { backupCodesPage, TOTP_FIELDS, totpPage } from './twoStep.js';

const HERE = '/account';

interface FormSpec extends Omit<PageSpec, 'show' | 'submit'> {
  /** Shown again with its faults when it is refused; absent: the page shows the fault. */
  form?: Refused['form'];
  fields?: readonly string[];
  /** The field that stands for a wrong password or code. */
  refusedAt?: string;
  act: PersonHandle;
}

/** A form of the account page. Opening its address shows the page. */
const accountForm = ({ act, form, fields = [], refusedAt, ...page }: FormSpec): Endpoint[] =>
  pageEndpoints({
    ...page,
    show: () => goTo(HERE),
    submit: forSamePerson(HERE, async (call, deps, signedIn) => {
      try {
        return await act(call, deps, signedIn);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const faults = faultsOf(error, fields, refusedAt);
        const values = { name: textOf(call, 'name') };
        return showAccount(call, deps.people, signedIn, { form, faults, values });
      }
    }),
  });

const account = pageEndpoints({
  id: 'accountPage',
  path: HERE,
  summary: 'The account of the signed-in person',
  description: 'Name, password, two-step sign-in, sessions and connected sign-ins.',
  show: forPerson(HERE, (call, { people }, signedIn) => showAccount(call, people, signedIn)),
});

const confirmTotp = pageEndpoints({
  id: 'accountTotpConfirm',
  path: '/account/totp/confirm',
  change: 'turn_on_second_factor',
  summary: 'Turn two-step sign-in on',
  description: 'By a code of the new key. Shows the backup codes, once.',
  show: () => goTo(HERE),
  submit: forSamePerson(HERE, async (call, { people }, signedIn) => {
    try {
      const made = await people.account.confirmTotp(signedIn, textOf(call, 'code'));
      const notice = 'Two-step sign-in is on.';
      return showPage(call, backupCodesPage(made.backup_codes, notice));
    } catch (error) {
      const faults = faultsOf(error, TOTP_FIELDS, 'code');
      const shown = { secret: textOf(call, 'secret'), uri: textOf(call, 'uri') };
      return showPage(call, totpPage(signedIn.person.id, shown, faults));
    }
  }),
});

const FORMS: readonly FormSpec[] = [
  {
    id: 'accountName',
    path: '/account/name',
    summary: 'Change the name',
    description: 'Other members see it.',
    form: 'name',
    fields: NAME_FIELDS,
    act: async (call, { people }, signedIn) => {
      await people.account.rename(signedIn, textOf(call, 'name'));
      return goTo(`${HERE}?done=name`);
    },
  },
  {
    id: 'accountPassword',
    path: '/account/password',
    change: 'change_password',
    summary: 'Change the password',
    description: 'With the current one. Every other session ends.',
    form: 'password',
    fields: PASSWORD_FIELDS,
    refusedAt: 'current_password',
    act: async (call, { people }, signedIn) => {
      const typed = {
        current_password: textOf(call, 'current_password'),
        password: textOf(call, 'password'),
      };
      const cookies = await people.account.changePassword(signedIn, typed, fromOf(call));
      return goTo(`${HERE}?done=password`, cookies);
    },
  },
  {
    id: 'accountTotp',
    path: '/account/totp',
    summary: 'Set two-step sign-in up',
    description: 'Shows a new key. Nothing changes until a code of it is confirmed.',
    act: async (call, { people }, signedIn) =>
      showPage(call, totpPage(signedIn.person.id, await people.account.beginTotp(signedIn))),
  },
  {
    id: 'accountTotpOff',
    path: '/account/totp/off',
    change: 'turn_off_second_factor',
    summary: 'Turn two-step sign-in off',
    description: 'With a code.',
    form: 'disable',
    fields: ['code'],
    refusedAt: 'code',
    act: async (call, { people }, signedIn) => {
      await people.account.disableTotp(signedIn, textOf(call, 'code'), fromOf(call));
      return goTo(`${HERE}?done=two-step-off`);
    },
  },
  {
    id: 'accountBackupCodes',
    path: '/account/backup-codes',
    change: 'replace_backup_codes',
    summary: 'Make new backup codes',
    description: 'Earlier ones stop working. Shows the new ones, once.',
    act: async (call, { people }, signedIn) => {
      const { backup_codes: codes } = await people.account.newBackupCodes(signedIn);
      const notice = 'Your earlier codes no longer work.';
      return showPage(call, backupCodesPage(codes, notice));
    },
  },
  {
    id: 'accountSessionEnd',
    path: '/account/sessions/end',
    change: 'end_session',
    summary: 'End a session',
    description: 'At once, in every process.',
    act: async (call, { people }, signedIn) => {
      await people.sessions.revoke(signedIn, textOf(call, 'session'));
      return goTo(`${HERE}?done=session`);
    },
  },
  {
    id: 'accountSessionsEnd',
    path: '/account/sessions/end-others',
    change: 'end_other_sessions',
    summary: 'End all other sessions',
    description: 'All except the one that sends the request.',
    act: async (_call, { people }, signedIn) => {
      await people.sessions.revokeOthers(signedIn);
      return goTo(`${HERE}?done=sessions`);
    },
  },
  {
    id: 'accountSignInDisconnect',
    path: '/account/sign-ins/disconnect',
    change: 'disconnect_sign_in',
    summary: "Disconnect an organization's sign-in",
    description: 'It signs the person in no more, and the sessions by it end.',
    act: async (call, { people }, signedIn) => {
      await people.oidc.identities.disconnect(signedIn, textOf(call, 'identity'));
      return goTo(`${HERE}?done=disconnected`);
    },
  },
];

export const accountPages: readonly Endpoint[] = [
  ...account,
  ...FORMS.flatMap(accountForm),
  ...confirmTotp,
];
