/** Signing in with an organization's own identity provider (OpenID Connect). */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import { AppError } from '../../../lib/errors.js';
import { OIDC_COOKIE } from '../../../people/oidc/types.js';
import { enter } from './enter.js';
import { fromOf, otherPersonPage, pageEndpoints, textOf } from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import { returnPath } from './returnPath.js';
import { refusedPage, leavingPage, startPage } from './views/oidc.js';

export const oidcStart = pageEndpoints({
  id: 'oidcStartPage',
  path: '/oidc/:org/start',
  summary: 'Sign in with the organization',
  description:
    "The link to an organization's own sign-in. Opened from a page of another site it shows a button first.",
  show: async (call, { people }) => {
    const next = returnPath(call.query().get('next'));
    if (!isOwnWish(call)) {
      const action = `/oidc/${encodeURIComponent(call.param('org'))}/start`;
      return showPage(200, startPage({ action, next, person: call.session?.person ?? null }));
    }
    const { url, cookies } = await people.oidc.start(
      call.param('org'),
      { return_to: next ?? '/choose' },
      fromOf(call),
    );
    return goTo(url, cookies);
  },
  submit: async (call, { people }) => {
    const invite = textOf(call, 'invite');
    const links = textOf(call, 'link') !== '';
    const { session } = call;
    if (links && textOf(call, 'person') !== session?.person.id) {
      return session ? otherPersonPage(session, '/account') : goTo('/sign-in?next=/account');
    }
    const { url, cookies } = await people.oidc.start(
      call.param('org'),
      {
        ...(invite !== '' && { invite }),
        ...(links && { link: session }),
        return_to: links ? '/account?done=linked' : (returnPath(textOf(call, 'next')) ?? '/choose'),
      },
      fromOf(call),
    );
    return showPage(200, leavingPage({ url, person: session?.person ?? null }), { cookies });
  },
});

/** The address was typed, kept as a bookmark, or stands on a page of this site; browsers say so themselves. */
const isOwnWish = (call: Call): boolean =>
  ['none', 'same-origin'].includes(call.header('sec-fetch-site') ?? '');

export const oidcCallback = pageEndpoints({
  id: 'oidcCallbackPage',
  path: '/oidc/callback',
  summary: 'Back from the identity provider',
  description: 'Ends a sign-in that this browser began here; no other.',
  show: async (call, { people }): Promise<Reply> => {
    try {
      const result = await people.oidc.finish(call.query(), call.cookie(OIDC_COOKIE), fromOf(call));
      return await enter(call, people, result, returnPath(result.return_to));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return showPage(error.status, refusedPage(error.message, call.session?.person ?? null));
    }
  },
});
