/** The addresses that visitors of funnels open: the page, the preview of a draft, and the files that these load. */
import { z } from 'zod';
import type { HttpDeps } from '../../api/http/deps.js';
import type { Call, Endpoint, Reply } from '../../api/http/endpoint.js';
import { packText, sendFile } from '../../api/http/servedFile.js';
import type { ShownFunnel } from '../../funnels/shown.js';
import { AppError } from '../../lib/errors.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import { countFunnel, countView, funnelChallenge } from './countEndpoint.js';
import { nothingHere, refusalPage } from './document.js';
import { styleFile } from './files.js';
import { embedScript } from './embedEndpoint.js';
import { renderPage } from './page.js';
import { EMBED_QUERY, SOURCE_PARAMETERS, SOURCE_TEXT_MAX } from './protocol.js';
import { renderResult } from './result.js';
import { funnelDone, submitFunnel } from './submitEndpoint.js';

type Handle = (call: Call, deps: HttpDeps) => Promise<Reply>;

/** @throws {AppError} `unavailable` while the database does not answer */
const reading =
  (handle: Handle): Handle =>
  (call, deps) =>
    handle(call, deps)
      .then((reply) => packText(reply, call))
      .catch(orUnavailable('Please try again in a few seconds.'));

const SHOWN = {
  method: 'get',
  tag: 'api',
  auth: 'public',
  outputs: { 200: z.string() },
  errors: ['not_found'],
} as const;

const document = { ...SHOWN, produces: 'text/html', refuse: refusalPage } as const;

/** The page with a new token, or the notice that the funnel is closed. */
function pageFor(shown: ShownFunnel, call: Call, { funnels }: HttpDeps): Promise<Reply> | Reply {
  if (shown.isClosed)
    return renderResult(shown, { kind: 'closed' }, { status: closedStatus(shown) });
  countView(shown, call, funnels);
  const token = funnels.tokens.issueToken({
    funnelId: shown.funnel._id,
    version: shown.version,
    mode: shown.isPreview ? 'preview' : 'live',
  });
  return renderPage(shown, { token, values: sourcesOf(call), site: funnels.site() });
}

/** A funnel that was taken off is gone, for search engines too; a pause of its campaign or supplier ends. */
const closedStatus = ({ funnel, isPreview }: ShownFunnel): number =>
  isPreview || funnel.status === 'published' ? 200 : 404;

/** Where the visitor comes from, as the inputs that are sent with the answers. */
function sourcesOf(call: Call): Record<string, string> {
  const query = call.query();
  const clipped = (text: string | null | undefined): string =>
    (text ?? '').slice(0, SOURCE_TEXT_MAX).toWellFormed();
  const named = SOURCE_PARAMETERS.map((name) => [`u.${name}`, clipped(query.get(name))] as const);
  return {
    ...Object.fromEntries(named.filter(([, value]) => value !== '')),
    p: clipped(query.get(EMBED_QUERY.page)),
    r: clipped(query.get(EMBED_QUERY.referrer) ?? call.header('referer')),
  };
}

const page: Endpoint = {
  ...document,
  id: 'funnelPage',
  path: '/f/:slug',
  summary: 'The page of a funnel',
  description:
    'The latest published version, as one document that also works without scripts. A closed funnel shows that it is closed, with 404 where it is unpublished.',
  handle: reading(async (call, deps) => {
    const shown = await deps.funnels.shown.bySlug(call.param('slug'));
    if (!shown) throw nothingHere();
    return pageFor(shown, call, deps);
  }),
};

const preview: Endpoint = {
  ...document,
  id: 'funnelPreview',
  path: '/f/preview/:funnel',
  summary: 'The draft of a funnel',
  description: '`token` is that of preview_url, and valid for a week. What it submits is a test.',
  query: z.object({ token: z.string() }),
  handle: reading(async (call, deps) => {
    const funnelId = deps.funnels.tokens.readPreview(call.query().get('token') ?? '');
    const isFor = funnelId !== null && funnelId === call.param('funnel');
    const shown = isFor ? await deps.funnels.shown.draft(funnelId) : null;
    if (!shown)
      throw new AppError('not_found', 'This preview has expired. Request a new preview link.');
    return pageFor(shown, call, deps);
  }),
};

const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

const style: Endpoint = {
  ...SHOWN,
  id: 'funnelStyle',
  path: '/f/assets/:file',
  summary: 'A stylesheet of funnels',
  description: 'Its name changes with its content, so that browsers cache it forever.',
  produces: 'text/css',
  async handle(call) {
    const file = styleFile(call.param('file'));
    if (!file) throw nothingHere();
    return sendFile(file, call, IMMUTABLE);
  },
};

const picture: Endpoint = {
  ...SHOWN,
  id: 'funnelPicture',
  path: '/f/:slug/pictures/:hash',
  summary: 'A picture of a funnel',
  description: 'By the SHA-256 of its bytes, so that browsers cache it forever.',
  produces: 'image/png',
  async handle(call, { funnels }) {
    const hash = call.param('hash');
    const shown = /^[0-9a-f]{64}$/.test(hash)
      ? await funnels.shown.bySlug(call.param('slug'))
      : null;
    const found = shown && (await funnels.picture(shown.funnel.org_id, hash));
    if (!found) throw nothingHere();
    return {
      status: 200,
      // Sites that show the address of a funnel show its picture too.
      headers: { ...IMMUTABLE, 'content-type': found.type },
      body: found.bytes,
    };
  },
};

export const funnelPages: readonly Endpoint[] = [
  embedScript,
  style,
  preview,
  picture,
  page,
  submitFunnel,
  funnelDone,
  countFunnel,
  funnelChallenge,
].map((endpoint) => ({ ...endpoint, site: 'funnels' }));
