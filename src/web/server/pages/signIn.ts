/** Signing in and out: address and password, then the code where the second step is on. */
import { getOwn } from '../../../lib/getOwn.js';
import { SESSION_COOKIE } from '../../../people/types.js';
import { enter } from './enter.js';
import { faultsOf, type Faults } from './faults.js';
import { fromOf, pageEndpoints, personOf, textOf } from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import { returnPath } from './returnPath.js';
import { CODE_FIELDS, codePage, SIGN_IN_FIELDS, signInPage } from './views/signIn.js';

const NOTICES: Record<string, string> = {
  'signed-out': 'You are signed out.',
  ended: 'That sign-in took too long or failed too often. Start again.',
};

export const signIn = pageEndpoints({
  id: 'signInPage',
  path: '/sign-in',
  summary: 'Sign in',
  description: 'Address and password. `next` is the page of this site that follows.',
  show: (call) => {
    const query = call.query();
    const next = returnPath(query.get('next'));
    const notice = getOwn(NOTICES, query.get('done') ?? '');
    // Whoever wants to be another person, or needs a new session, asks for the form.
    if (call.session && !query.has('again') && notice === undefined) return goTo(next ?? '/choose');
    return showPage(call, signInPage({ next, person: personOf(call), notice }));
  },
  submit: async (call, { people }) => {
    const next = returnPath(textOf(call, 'next'));
    const [email, password] = [textOf(call, 'email').trim(), textOf(call, 'password')];
    const refuse = (faults: Faults) =>
      showPage(call, signInPage({ next, person: personOf(call), values: { email }, faults }));
    const missing = missingOf({ email, password });
    if (missing) return refuse(missing);
    try {
      const result = await people.signIn({ email, password }, fromOf(call));
      return await enter(call, people, result, next);
    } catch (error) {
      return refuse(faultsOf(error, SIGN_IN_FIELDS));
    }
  },
});

function missingOf({ email, password }: { email: string; password: string }): Faults | null {
  if (email !== '' && password !== '') return null;
  return {
    status: 400,
    fields: {
      ...(email === '' && { email: 'Enter your email address.' }),
      ...(password === '' && { password: 'Enter your password.' }),
    },
  };
}

export const signInCode = pageEndpoints({
  id: 'signInCodePage',
  path: '/sign-in/code',
  summary: 'Enter the code of the second step',
  description: 'A code of the authenticator app, or a backup code.',
  show: async (call, { people }) => {
    const query = call.query();
    const next = returnPath(query.get('next'));
    if (!(await people.isCodeNeeded(call.cookie(SESSION_COOKIE)))) {
      return goTo(call.session ? (next ?? '/choose') : '/sign-in');
    }
    return showPage(call, codePage({ next, isBackup: query.has('backup') }));
  },
  submit: async (call, { people }) => {
    const next = returnPath(textOf(call, 'next'));
    const token = call.cookie(SESSION_COOKIE);
    try {
      const result = await people.secondFactor(token, textOf(call, 'code'), fromOf(call));
      return await enter(call, people, result, next);
    } catch (error) {
      const faults = faultsOf(error, CODE_FIELDS, 'code');
      if (!(await people.isCodeNeeded(token))) return goTo('/sign-in?done=ended');
      const isBackup = textOf(call, 'backup') !== '';
      return showPage(call, codePage({ next, isBackup, faults }));
    }
  },
});

export const signOut = pageEndpoints({
  id: 'signOutPage',
  path: '/sign-out',
  summary: 'Sign out',
  description: 'Ends the session of this browser.',
  isBare: true,
  // Opening the address shows who is signed in, and the button.
  show: (call) => goTo(call.session ? '/account' : '/sign-in'),
  submit: async (call, { people }) =>
    goTo('/sign-in?done=signed-out', await people.signOut(call.cookie(SESSION_COOKIE))),
});
