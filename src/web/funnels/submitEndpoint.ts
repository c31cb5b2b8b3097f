/** Accepts the form of a funnel's page, and answers it by a page or by JSON. */
import { z } from 'zod';
import type { Call, Endpoint, Reply } from '../../api/http/endpoint.js';
import type { HttpDeps } from '../../api/http/deps.js';
import { errorBody } from '../../api/http/errorBody.js';
import { packText } from '../../api/http/servedFile.js';
import { readPosted, type Posted } from '../../funnels/submit/posted.js';
import type { SubmitResult, VisitEnd } from '../../funnels/submit/submitPage.js';
import type { ShownFunnel } from '../../funnels/shown.js';
import { AppError } from '../../lib/errors.js';
import { orUnavailable } from '../../platform/mongo/databaseErrors.js';
import { nothingHere, refusalPage } from './document.js';
import { renderPage } from './page.js';
import type { SubmitReply } from './protocol.js';
import { renderResult, resultText } from './result.js';
import type { PageNotice } from './types.js';

/** Bytes: a page with all its answers has far less. */
const FORM_MAX_BYTES = 64 * 1024;

const isScript = (call: Call): boolean => call.acceptedTypes()[0] === 'application/json';

/** Errors without a funnel to show, such as a body over the limit. */
const refuse = (error: AppError, call: Call): Reply | Promise<Reply> =>
  isScript(call)
    ? { status: error.status, body: errorBody(error, call.requestId) }
    : refusalPage(error, call);

export const submitFunnel: Endpoint = {
  id: 'submitFunnel',
  method: 'post',
  path: '/f/:slug',
  summary: 'Submit the page of a funnel',
  description:
    'What the form of the page sends. Answered by a page, or by JSON where `Accept` names it first. One page makes one ' +
    'lead, however often it is sent.',
  tag: 'api',
  auth: 'public',
  params: z.object({ slug: z.string().describe('The address of the funnel') }),
  input: z.looseObject({ t: z.string().describe('The token of the page') }),
  readsBody: true,
  produces: 'text/html',
  outputs: { 200: z.string(), 303: z.void() },
  errors: ['body_too_large', 'malformed_body', 'unsupported_media_type', 'not_found'],
  refuse,
  async handle(call, deps) {
    refuseLarge(call);
    const posted = readPosted(await call.readBytes(FORM_MAX_BYTES));
    const result = await submit(call, posted, deps).catch(asUnavailable);
    if (!result) throw nothingHere();
    if (isScript(call)) return asJson(result);
    const page = await asPage(result, posted, deps);
    return page.status === 303 ? page : packText(page, call);
  },
};

/** The funnel itself cannot be read; the browser still has the typed answers. */
const asUnavailable = orUnavailable('Please go back and try again in a few seconds.');

/** Checked before the body is read. */
function refuseLarge(call: Call): void {
  if (!call.isForm) {
    const message = 'Send the form of the page, as application/x-www-form-urlencoded.';
    throw new AppError('unsupported_media_type', message);
  }
  if (Number(call.header('content-length') ?? 0) > FORM_MAX_BYTES) {
    const message = `The body exceeds the limit of ${FORM_MAX_BYTES / 1024} KiB.`;
    throw new AppError('body_too_large', message);
  }
}

/** As with suppliers: a visitor whose connection breaks before the answer may send the same again. */
async function submit(
  call: Call,
  posted: Posted,
  { funnels, intake }: HttpDeps,
): Promise<SubmitResult | null> {
  const connection = new AbortController();
  let leadId: string | undefined;
  call.onClose((answered) => {
    if (leadId === undefined) connection.abort();
    else intake.answered(leadId, answered);
  });
  const result = await funnels.submits.submit({
    slug: call.param('slug'),
    posted,
    visitor: {
      ip: call.ip,
      userAgent: call.header('user-agent'),
      referrer: call.header('referer'),
      host: call.header('host') ?? '',
      closed: connection.signal,
    },
  });
  if (result?.kind === 'ended') ({ leadId } = result);
  if (leadId !== undefined && connection.signal.aborted) intake.answered(leadId, false);
  return result;
}

type Again = Extract<SubmitResult, { kind: 'again' }>;

const AGAIN_STATUS: Record<Again['notice'], number> = {
  unavailable: 503,
  too_many: 429,
  work: 429,
  expired: 422,
};

const retryAfter = ({ seconds }: Again): Record<string, string> =>
  seconds > 0 ? { 'retry-after': String(seconds) } : {};

function asJson(result: SubmitResult): Reply {
  const reply = (status: number, body: SubmitReply): Reply => ({ status, body });
  switch (result.kind) {
    case 'ended': {
      const { shown, end } = result;
      return reply(200, { outcome: end.kind, ...resultText(shown, end) });
    }
    case 'faulty':
      return reply(422, { outcome: 'faulty', faults: result.faults });
    case 'again': {
      const { notice, token } = result;
      const body = { outcome: notice, token: notice === 'expired' ? token : undefined };
      return { ...reply(AGAIN_STATUS[notice], body), headers: retryAfter(result) };
    }
  }
}

/** The end of a visit has a separate address, so that reloading it submits nothing. */
function asPage(result: SubmitResult, posted: Posted, deps: HttpDeps): Reply | Promise<Reply> {
  const { shown } = result;
  switch (result.kind) {
    case 'ended':
      return seeOther(endAddress(shown, result.end, deps));
    case 'faulty': {
      const { token, faults } = result;
      return renderPage(shown, { token, values: posted.values, faults }, { status: 422 });
    }
    case 'again': {
      const { token, notice } = result;
      return renderPage(
        shown,
        { token, values: posted.values, notice: noticeOf(result) },
        { status: AGAIN_STATUS[notice], headers: retryAfter(result) },
      );
    }
  }
}

const noticeOf = ({ notice, seconds }: Again): PageNotice =>
  notice === 'work' ? { text: 'wait', seconds } : { text: notice };

function endAddress(shown: ShownFunnel, end: VisitEnd, { funnels }: HttpDeps): string {
  const { redirect_url } = resultText(shown, end);
  if (redirect_url !== null) return redirect_url;
  const { funnel, version, isPreview } = shown;
  const outcome = end.kind === 'not_qualified' ? `${end.kind}:${end.page}` : end.kind;
  const mode = isPreview ? 'preview' : 'live';
  const signed = funnels.tokens.issueEnd({ funnelId: funnel._id, version, mode, outcome });
  return `/f/${funnel.slug}/done?s=${signed}`;
}

const seeOther = (location: string): Reply => ({
  status: 303,
  headers: { location, 'content-type': 'text/plain; charset=utf-8' },
  body: '',
});

export const funnelDone: Endpoint = {
  id: 'funnelDone',
  method: 'get',
  path: '/f/:slug/done',
  summary: 'See how a visit of a funnel ended',
  description: 'Where the form of a page leads to; its address is signed, and valid for a day.',
  tag: 'api',
  auth: 'public',
  params: z.object({ slug: z.string().describe('The address of the funnel') }),
  query: z.object({ s: z.string().describe('Names the end') }),
  produces: 'text/html',
  outputs: { 200: z.string() },
  errors: ['not_found'],
  refuse,
  async handle(call, { funnels }) {
    const slug = call.param('slug');
    const end = funnels.tokens.readEnd(call.query().get('s') ?? '');
    const now =
      end?.mode === 'preview'
        ? await funnels.shown.draft(end.funnelId)
        : await funnels.shown.bySlug(slug);
    if (!now) throw nothingHere();
    // A link that is too old redirects to the page.
    if (end?.funnelId !== now.funnel._id) return seeOther(`/f/${now.funnel.slug}`);
    const shown = (await funnels.shown.atVersion(now, end.version)) ?? now;
    return packText(renderResult(shown, resultOf(end.outcome)), call);
  },
};

function resultOf(outcome: string): VisitEnd {
  const [kind = '', page = ''] = outcome.split(':', 2);
  if (kind === 'not_qualified') return { kind, page };
  if (kind === 'thanks' || kind === 'no_buyer' || kind === 'refused') return { kind };
  return { kind: 'closed' };
}
