/** The pages that the server renders: signing in, invitations, and one's own account. */
import type { Endpoint } from '../../../api/http/endpoint.js';
import { accountPages } from './account/index.js';
import { choose } from './choose.js';
import { confirm } from './confirm.js';
import { home } from './home.js';
import { invite, setup } from './invite.js';
import { oidcCallback, oidcOrganization, oidcStart } from './oidc.js';
import { recover, reset } from './recover.js';
import { signIn, signInCode, signOut } from './signIn.js';
import { pageStyle } from './style.js';

export const serverPages: readonly Endpoint[] = [
  home,
  pageStyle,
  ...signIn,
  ...signInCode,
  ...signOut,
  ...invite,
  ...setup,
  ...recover,
  ...reset,
  ...choose,
  ...confirm,
  ...accountPages,
  ...oidcOrganization,
  ...oidcStart,
  ...oidcCallback,
];
