/** Signing in with an organization's own identity provider (OpenID Connect). */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import { AppError, type FieldErrorCode } from '../../../lib/errors.js';
import { OIDC_COOKIE } from '../../../people/types.js';
import { enter } from './enter.js';
import { faultsOf } from './faults.js';
import { fromOf, otherPersonPage, pageEndpoints, textOf } from './pageEndpoint.js';
import { goTo, showPage } from './render/page.js';
import { returnPath } from './returnPath.js';
import { witnessOf } from './witness.js';
import {
  leavingPage,
  ORGANIZATION_FIELDS,
  organizationPage,
  refusedPage,
  startPage,
} from './views/oidc.js';

export const oidcStart = pageEndpoints({
  id: 'oidcStartPage',
  path: '/oidc/:org/start',
  summary: 'Sign in with the organization',
  description:
    "The link to an organization's own sign-in. Opened from a page of another site it shows a button first.",
  show: async (call, { people }) => {
    const next = returnPath(call.query().get('next'));
    const confirms = call.query().get('confirms') !== null;
    if (!isOwnWish(call)) {
      const action = `/oidc/${encodeURIComponent(call.param('org'))}/start`;
      return showPage(call, startPage({ action, next, confirms }));
    }
    const { url, cookies } = await people.oidc.start(
      call.param('org'),
      { confirms, return_to: next ?? '/choose' },
      fromOf(call),
    );
    return goTo(url, cookies);
  },
  submit: async (call, { people }) => {
    const invite = textOf(call, 'invite');
    const links = textOf(call, 'link') !== '';
    const { session } = call;
    if (links && textOf(call, 'person') !== session?.person.id) {
      return session ? otherPersonPage(call, session, '/account') : goTo('/sign-in?next=/account');
    }
    if (links && session?.is_fresh !== true) return goTo('/confirm?next=/account');
    const { url, cookies } = await people.oidc.start(
      call.param('org'),
      {
        invite: invite === '' ? undefined : invite,
        link: links ? session : undefined,
        confirms: textOf(call, 'confirms') !== '',
        return_to: links ? '/account?done=linked' : (returnPath(textOf(call, 'next')) ?? '/choose'),
      },
      fromOf(call),
    );
    return showPage(call, leavingPage(url), { cookies });
  },
});

export const oidcOrganization = pageEndpoints({
  id: 'oidcOrganizationPage',
  path: '/sign-in/organization',
  summary: 'Choose the organization to sign in with',
  description:
    "Takes the address or the id of an organization's own sign-in. It asks for no email address, and shows nothing about accounts.",
  show: (call) => {
    const next = returnPath(call.query().get('next'));
    return showPage(call, organizationPage({ next }));
  },
  submit: async (call, { people }) => {
    const next = returnPath(textOf(call, 'next'));
    const typed = textOf(call, 'organization').trim();
    try {
      const org = organizationIn(typed);
      const wish = { return_to: next ?? '/choose' };
      const { url, cookies } = await people.oidc.start(org, wish, fromOf(call)).catch(unknownHere);
      return showPage(call, leavingPage(url), { cookies });
    } catch (error) {
      const faults = faultsOf(error, ORGANIZATION_FIELDS);
      const values = { organization: typed };
      return showPage(call, organizationPage({ next, values, faults }));
    }
  },
});

/** Longer than any address of a sign-in; and the pattern takes time by the square of the length. */
const ORGANIZATION_MAX = 500;

/** The id in an address such as `https://leads.example/oidc/<id>/start`, or the id itself. @throws {AppError} */
function organizationIn(typed: string): string {
  if (typed.length <= ORGANIZATION_MAX) {
    const id = /\/oidc\/([^/?#\s]{1,100})\/start(?:[?#].*)?$/.exec(typed)?.[1] ?? typed;
    if (/^[\w-]{1,100}$/.test(id)) return id;
  }
  throw organizationFault(
    typed === '' ? 'required' : 'invalid_format',
    'Enter the address that your admin gave you, or the ID of the organization.',
  );
}

/** One answer for organizations without their own sign-in, and for unknown ones. */
function unknownHere(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  const message = 'No organization has this sign-in address. Check it, or contact your admin.';
  throw organizationFault('not_allowed', message);
}

const organizationFault = (code: FieldErrorCode, message: string): AppError =>
  new AppError('invalid_input', message, { details: [{ path: 'organization', code, message }] });

/** The person typed the address, opened a bookmark or came from a page of this site; the browser states it. */
const isOwnWish = (call: Call): boolean =>
  ['none', 'same-origin'].includes(call.header('sec-fetch-site') ?? '');

const CALLBACK = { method: 'GET', route: '/oidc/callback' } as const;

export const oidcCallback = pageEndpoints({
  id: 'oidcCallbackPage',
  path: CALLBACK.route,
  summary: 'Back from the identity provider',
  description: 'Completes a sign-in that this browser began, and no other.',
  show: async (call, deps): Promise<Reply> => {
    const { people } = deps;
    try {
      const result = await people.oidc.finish(call.query(), call.cookie(OIDC_COOKIE), fromOf(call));
      if (result.is_link) witnessOf(call, deps, CALLBACK).changed('connect_sign_in');
      return await enter(call, people, result, returnPath(result.return_to));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return showPage(call, refusedPage(error.message), { status: error.status });
    }
  },
});
