/** A page as endpoints: what GET shows, what its form sends, and the pages of refusals. */
import { z } from 'zod';
import type { Call, Endpoint, Reply } from '../../../api/http/endpoint.js';
import type { HttpDeps } from '../../../api/http/deps.js';
import { AppError, internal } from '../../../lib/errors.js';
import { getOwn } from '../../../lib/getOwn.js';
import { DEVICE_COOKIE, type From, type Person, type SignedIn } from '../../../people/types.js';
import { goTo, paragraph, showPage } from './render/page.js';
import { template } from '../../render/template.js';
import { pathWith } from './returnPath.js';
import { witnessOf, type Witnessed } from './witness.js';

export type Handle = (call: Call, deps: HttpDeps) => Reply | Promise<Reply>;
/** Of a page of a person who is signed in. */
export type PersonHandle = (
  call: Call,
  deps: HttpDeps,
  signedIn: SignedIn,
) => Reply | Promise<Reply>;

export interface PageSpec {
  id: string;
  path: `/${string}`;
  summary: string;
  description: string;
  /** Answers GET, and changes nothing. */
  show?: Handle;
  /** Answers POST, which the HTTP layer accepts from pages of this site alone. */
  submit?: Handle;
  /** The security log's name for the change that its form makes. */
  change?: string;
  /** The form has no values, and so may have no body. */
  isBare?: true;
}

/** @returns one endpoint for each method that the page answers */
export function pageEndpoints({ id, path, summary, description, ...page }: PageSpec): Endpoint[] {
  const parts = {
    path,
    summary,
    description,
    tag: 'api',
    auth: 'page',
    produces: 'text/html',
    outputs: { 200: z.string() },
    errors: [],
    refuse: errorPage,
  } as const;
  const { show, submit } = page;
  const list: Endpoint[] = [];
  if (show) {
    const seen = { method: 'GET', route: path } as const;
    list.push({ ...parts, id, method: 'get', handle: witnessed(show, seen) });
  }
  if (submit) {
    list.push({
      ...parts,
      id: `${id}Form`,
      method: 'post',
      input: page.isBare ? undefined : z.looseObject({}),
      handle: witnessed(submit, { method: 'POST', route: path, change: page.change }),
    });
  }
  return list;
}

/** Records the request in the security log; our own failures become a page too. */
const witnessed =
  (handle: Handle, seen: Witnessed) =>
  async (call: Call, deps: HttpDeps): Promise<Reply> => {
    const witness = witnessOf(call, deps, seen);
    try {
      const reply = await handle(call, deps);
      await witness.replied(reply);
      return reply;
    } catch (thrown) {
      const error = thrown instanceof AppError ? thrown : internal(thrown);
      witness.refused(error);
      throw error;
    }
  };

const TITLES: Partial<Record<AppError['code'], string>> = {
  forbidden: 'Not allowed',
  not_found: 'Page not found',
  rate_limited: 'Too many attempts',
  internal: 'Something went wrong',
  unavailable: 'Temporarily unavailable',
};

/** The refusal of a page, or that there is none. */
export function errorPage(error: AppError, call: Call): Reply {
  const retryAfter = error.extras.retry_after;
  const about = `Request ID: ${call.requestId}`;
  const title = TITLES[error.code] ?? 'Request failed';
  const content = [paragraph({ text: error.message }), paragraph({ text: about, isQuiet: true })];
  const reply = showPage(call, { title, content }, { status: error.status });
  if (retryAfter === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } };
}

/**
 * A handler for people who are signed in; others sign in first.
 * @param next the page that they return to
 */
export const forPerson =
  (next: string, handle: PersonHandle): Handle =>
  (call, deps) =>
    call.session ? handle(call, deps, call.session) : goTo(pathWith('/sign-in', { next }));

/**
 * The same for a form. It names the person whose page it was on: when another person has signed in with this browser
 * since, in another tab, it changes nothing.
 */
export const forSamePerson = (next: string, handle: PersonHandle): Handle =>
  forPerson(next, (call, deps, signedIn) =>
    textOf(call, 'person') === signedIn.person.id
      ? handle(call, deps, signedIn)
      : otherPersonPage(call, signedIn, next),
  );

const openAgain = template<{ next: string }>(
  '<p><a class="button quiet" href="<%= it.next %>">Reload the page</a></p>\n',
);

/** Shows who is signed in now, instead of changing something for them. */
export function otherPersonPage(call: Call, { person }: SignedIn, next: string): Reply {
  const text = `Nothing was changed: the form belonged to another account, and this browser is now signed in as ${person.email}, perhaps in another tab. Reload the page to continue as ${person.email}, or sign out first.`;
  const content = [paragraph({ text }), openAgain({ next })];
  return showPage(call, { title: 'Another person is signed in now', content }, { status: 409 });
}

/** The person who is signed in with this browser. */
export const personOf = ({ session }: Call): Person | null => session?.person ?? null;

/** A value of the form; empty when it is absent. */
export function textOf({ body }: Call, name: string): string {
  const value = getOwn(body, name);
  return typeof value === 'string' ? value : '';
}

/** Where the request comes from, for limits and for the list of sessions. */
export const fromOf = (call: Call): From => ({
  ip: call.ip,
  user_agent: call.header('user-agent'),
  device: call.cookie(DEVICE_COOKIE),
});
