/** The pages that the server renders: signing in, invitations, and the account. */
import { startPage } from '../../../api/endpoints/docs.js';
import type { Endpoint } from '../../../api/http/endpoint.js';
import { accountPages } from './account/index.js';
import { choose } from './choose.js';
import { confirm } from './confirm.js';
import { enterConsole } from './enterConsole.js';
import { invite, setup } from './invite.js';
import { oidcCallback, oidcOrganization, oidcStart } from './oidc.js';
import { recover, reset } from './recover.js';
import { goTo } from './render/page.js';
import { signIn, signInCode, signOut } from './signIn.js';
import { mark } from './identity.js';
import { pageStyle } from './style.js';

/** The bare address: browsers are redirected to the person's page, programs receive a description of the service. */
const home: Endpoint = {
  ...startPage,
  auth: 'page',
  description:
    'Redirects a browser to the pages of its signed-in person or to the sign-in page, and a program to /docs.',
  handle: (call, deps) => {
    // Programs accept anything, or name JSON; browsers name HTML.
    if (!call.acceptedTypes().includes('text/html')) return startPage.handle(call, deps);
    return Promise.resolve(goTo(call.session ? '/choose' : '/sign-in'));
  },
};

export const serverPages: readonly Endpoint[] = [
  home,
  pageStyle,
  mark,
  ...signIn,
  ...signInCode,
  ...signOut,
  ...invite,
  ...setup,
  ...enterConsole,
  ...recover,
  ...reset,
  ...choose,
  ...confirm,
  ...accountPages,
  ...oidcOrganization,
  ...oidcStart,
  ...oidcCallback,
];
