/** The documents that the screens run in, and the files that they load. */
import { z } from 'zod';
import type { Call, Endpoint, Reply } from '../../api/http/endpoint.js';
import { sendFile } from '../../api/http/servedFile.js';
import { AppError } from '../../lib/errors.js';
import { loadAssets, type EntryFiles } from './assets.js';
import { MARK_PATH } from './pages/identity.js';
import { pageEndpoints } from './pages/pageEndpoint.js';
import { documentHeaders, goTo } from './pages/render/page.js';
import { template } from '../render/template.js';
import { pathWith } from './pages/returnPath.js';

/** No inline script or style, and no text becomes markup. */
const HEADERS = documentHeaders(
  "script-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "require-trusted-types-for 'script'",
);

const layout = template<EntryFiles & { mark: string }>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Leadwire</title>
<link rel="icon" type="image/svg+xml" href="<%= it.mark %>">
<% for (const style of it.styles) { %>
<link rel="stylesheet" href="<%= style %>">
<% } %>
<% for (const script of it.preloads) { %>
<link rel="modulepreload" href="<%= script %>">
<% } %>
<script type="module" src="<%= it.script %>"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>This page needs JavaScript. Your <a href="/account">account</a> page works without it.</p></noscript>
</body>
</html>
`);

async function document(source: string): Promise<Reply> {
  const assets = await loadAssets();
  return {
    status: 200,
    headers: HEADERS,
    body: layout({ ...assets.entry(source), mark: MARK_PATH }).html,
  };
}

/** In the address of a portal, also that of an admin who sees it as its people do. */
const MEMBERSHIPS = {
  '/portal': /^mem_\w+(?:\.(?:buyer|supplier)\.[\w-]+)?$/,
  '/org': /^mem_\w+$/,
} as const;

/**
 * The document of a membership: the same for every signed-in person, since only the calls know whose membership it is.
 */
const shell = (at: '/portal' | '/org', source: string, summary: string): Endpoint[] =>
  pageEndpoints({
    id: at === '/portal' ? 'portal' : 'organizationPages',
    path: `${at}/:membership{/*rest}`,
    summary,
    description:
      'One document for all screens. A browser without a session goes to the sign-in page first.',
    show(call) {
      if (!MEMBERSHIPS[at].test(call.param('membership'))) throw nothingHere();
      return call.session ? document(source) : goTo(signInFor(at, call));
    },
  });

/** The address without a membership: the person chooses one, after signing in. */
const bare = (at: '/portal' | '/org'): Endpoint[] =>
  pageEndpoints({
    id: at === '/portal' ? 'portalChoice' : 'organizationChoice',
    path: at,
    summary: 'The memberships of the signed-in person',
    description: 'Leads to the choice of what to open.',
    show: (call) => goTo(call.session ? '/choose' : pathWith('/sign-in', { next: '/choose' })),
  });

const nothingHere = (): AppError => new AppError('not_found', 'There is no page at this address.');

function signInFor(at: string, call: Call): string {
  const parts = [call.param('membership'), ...call.param('rest').split('/')];
  const path = parts.filter((part) => part !== '').map(encodeURIComponent);
  const query = call.query().toString();
  const next = `${at}/${path.join('/')}${query === '' ? '' : `?${query}`}`;
  return pathWith('/sign-in', { next });
}

const design = pageEndpoints({
  id: 'design',
  path: '/portal/design',
  summary: 'The design system',
  description: 'Every part that screens are made of, with made-up data.',
  show: () => document('design.tsx'),
});

/** For a worker's file it applies to the code that runs: in a sandbox that would have no cryptography. */
const FILE_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const asset: Endpoint = {
  id: 'asset',
  method: 'get',
  path: '/assets/:file',
  summary: 'A script or stylesheet of the pages',
  description: 'Its name changes with its content, so that browsers cache it forever.',
  tag: 'api',
  auth: 'public',
  produces: 'text/javascript',
  outputs: { 200: z.string() },
  errors: ['not_found'],
  async handle(call) {
    const file = await (await loadAssets()).file(call.param('file'));
    if (!file) throw nothingHere();
    return sendFile(file, call, {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': FILE_POLICY,
    });
  },
};

export const shellEndpoints: readonly Endpoint[] = [
  asset,
  ...design,
  ...bare('/portal'),
  ...bare('/org'),
  ...shell('/portal', 'main.tsx', 'The portal of buyers and suppliers'),
  ...shell('/org', 'console.tsx', "What an organization's own people see"),
];
