/** The steps after a successful sign-in: the cookie, and the page that was requested. */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import type { People } from '../../../people/people.js';
import { SESSION_COOKIE, type SignInResult } from '../../../people/types.js';
import { goTo } from './render/page.js';
import { pathWith } from './returnPath.js';

/**
 * Goes on with the new session, or to the code that it waits for. A session that this browser had before ends when
 * a new one replaces it: no browser would hold its token any more.
 * @param next a path of this site; null: the choice of what to open
 */
export async function enter(
  call: Call,
  people: People,
  { state, cookies }: SignInResult,
  next: string | null,
): Promise<Reply> {
  const isReplaced = cookies.some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  if (isReplaced && call.session) await people.signOut(call.cookie(SESSION_COOKIE));
  return state === 'code_needed'
    ? goTo(pathWith('/sign-in/code', { next }), cookies)
    : goTo(next ?? '/choose', cookies);
}
