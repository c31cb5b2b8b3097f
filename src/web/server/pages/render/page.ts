/** A whole page as the reply to a request. */
import type { Call, Reply } from '../../../../api/http/endpoint.js';
import type { Person } from '../../../../people/types.js';
import type { Faults } from '../faults.js';
import { MARK_PATH } from '../identity.js';
import { STYLE_PATH } from '../style.js';
import { form } from './field.js';
import { template, type Markup } from '../../../render/template.js';

/** Nothing from other hosts; forms go to this host; no other page may frame it. */
const SHARED_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * Headers of every document that browsers show.
 * @param more of the content security policy, in addition to the part that all documents share
 */
export const documentHeaders = (...more: readonly string[]): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [...SHARED_POLICY, ...more].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** No script. */
const HEADERS = documentHeaders();

export interface PageContent {
  title: string;
  content: Markup | readonly Markup[];
  /** A confirmation of what was done. */
  notice?: string;
  /** Those of its form, where it was refused: they decide the status of the reply. */
  faults?: Faults;
  isWide?: boolean;
  /** Redirects at once: a redirect after a form may not go to another site (`form-action`), a page may. */
  leadsTo?: string;
}

interface Layout extends PageContent {
  /** The person signed in with this browser: each page shows it, also when another tab signed in. */
  person: Person | undefined;
  style: string;
  mark: string;
  signOut: Markup;
}

const layout = template<Layout>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.faults ? 'Error: ' : '' %><%= it.title %> · Leadwire</title>
<link rel="stylesheet" href="<%= it.style %>">
<link rel="icon" type="image/svg+xml" href="<%= it.mark %>">
<% if (it.leadsTo) { %>
<meta http-equiv="refresh" content="0;url=<%= it.leadsTo %>">
<% } %>
</head>
<body>
<header>
<a class="brand" href="/"><img src="<%= it.mark %>" alt="" width="24" height="24">Leadwire</a>
<% if (it.person) { %>
<div class="who"><span>Signed in as <bdi><%= it.person.name || it.person.email %></bdi> (<bdi><%= it.person.email %></bdi>)</span>
<a href="/account">Your account</a>
<%= it.signOut %></div>
<% } %>
</header>
<main<% if (it.isWide) { %> class="wide"<% } %>>
<h1><%= it.title %></h1>
<% if (it.notice) { %>
<div class="notice" role="status"><p><%= it.notice %></p></div>
<% } %>
<% if (it.faults?.alert) { %>
<div class="alert" role="alert" tabindex="-1" autofocus><p><%= it.faults.alert %></p></div>
<% } %>
<%= it.content %>
</main>
</body>
</html>
`);

const SIGN_OUT = form({ action: '/sign-out', button: 'Sign out', kind: 'quiet', isInline: true });

/** @param status shows whether the request succeeded; with faults, theirs does */
export const showPage = (
  { session }: Call,
  page: PageContent,
  { status = 200, cookies = [] }: { status?: number; cookies?: readonly string[] } = {},
): Reply => ({
  status: page.faults?.status ?? status,
  headers: { ...HEADERS, ...page.faults?.headers },
  cookies,
  body: layout({
    ...page,
    person: session?.person,
    style: STYLE_PATH,
    mark: MARK_PATH,
    signOut: SIGN_OUT,
  }).html,
});

/** Sends the browser to another page, by GET. */
export const goTo = (path: string, cookies: readonly string[] = []): Reply => ({
  status: 303,
  headers: { ...HEADERS, location: path },
  cookies,
  body: '',
});

/** A paragraph of text. */
export const paragraph = template<{ text: string; isQuiet?: boolean }>(
  '<p<% if (it.isQuiet) { %> class="quiet-text"<% } %>><%= it.text %></p>\n',
);
