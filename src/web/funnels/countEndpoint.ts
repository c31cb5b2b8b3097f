/**
 * What the script of a funnel's page sends in addition to the form: counts of steps, and requests for a proof of work.
 */
import { z } from 'zod';
import type { Call, Endpoint } from '../../api/http/endpoint.js';
import type { HttpDeps } from '../../api/http/deps.js';
import { stepsOf } from '../../funnels/rules/flow.js';
import { sourceOf, SOURCE_TEXT_MAX } from '../../funnels/rules/sources.js';
import { AppError } from '../../lib/errors.js';
import type { ShownFunnel } from '../../funnels/shown.js';
import type { Counted } from '../../funnels/submit/counts.js';
import { EMBED_QUERY, type CountMessage } from './protocol.js';

const COUNT_MAX_BYTES = 2_048;

const Message = z.object({
  t: z.string(),
  event: z.enum(['start', 'shown', 'done']),
  step: z.string().max(40),
  utm_source: z.string().max(SOURCE_TEXT_MAX).optional(),
  referrer: z.string().max(SOURCE_TEXT_MAX).optional(),
});

export const countFunnel: Endpoint = {
  id: 'countFunnel',
  method: 'post',
  path: '/f/:slug/count',
  summary: 'Count a step of a page',
  description:
    'Sent by the script of the page, without personal data. An invalid message is ignored.',
  tag: 'api',
  auth: 'public',
  params: z.object({ slug: z.string().describe('The address of the funnel') }),
  input: Message,
  readsBody: true,
  outputs: { 204: z.void() },
  errors: ['body_too_large'],
  async handle(call, deps) {
    const message = messageIn(await call.readBytes(COUNT_MAX_BYTES));
    if (message) await count(message, call, deps);
    return { status: 204, body: '' };
  },
};

function messageIn(bytes: Buffer): CountMessage | null {
  try {
    return Message.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/** Counts each event once per page, however often it is sent. */
async function count(
  { t, event, step, utm_source, referrer }: CountMessage,
  call: Call,
  { funnels }: HttpDeps,
): Promise<void> {
  const read = funnels.tokens.readToken(t);
  if (read.kind !== 'valid' || read.page.mode === 'preview') return;
  const { page } = read;
  const now = await funnels.shown.bySlug(call.param('slug'));
  if (now?.funnel._id !== page.funnelId) return;
  const shown = await funnels.shown.atVersion(now, page.version);
  if (!shown || !stepsOf(shown.definition).some(({ id }) => id === step)) return;
  const counted = countedOf(shown, { utm_source, referrer }, call);
  funnels.submits.counts.countOnce(
    page.nonce,
    counted,
    event === 'start' ? { kind: event } : { kind: event, step },
  );
}

const countedOf = (
  { funnel, version, timeZone }: ShownFunnel,
  from: { utm_source?: string; referrer?: string | undefined },
  call: Call,
): Counted => ({
  orgId: funnel.org_id,
  funnelId: funnel._id,
  version,
  timeZone,
  source: sourceOf(from, call.header('host')),
});

/** Counts a page that was sent to a visitor; drafts are not counted. */
export function countView(
  shown: ShownFunnel,
  call: Call,
  { submits }: Pick<HttpDeps['funnels'], 'submits'>,
): void {
  if (shown.isPreview) return;
  const query = call.query();
  const from = {
    utm_source: query.get('utm_source') ?? undefined,
    referrer: query.get(EMBED_QUERY.referrer) ?? call.header('referer'),
  };
  submits.counts.count(countedOf(shown, from, call), { kind: 'view' });
}

export const funnelChallenge: Endpoint = {
  id: 'funnelChallenge',
  method: 'get',
  path: '/f/:slug/challenge',
  summary: 'Get work for a page',
  description:
    'A challenge of ALTCHA (PBKDF2), for the page of this token alone. Its solution is sent with the form, as `w`.',
  tag: 'api',
  auth: 'public',
  params: z.object({ slug: z.string().describe('The address of the funnel') }),
  query: z.object({ t: z.string().describe('The token of the page') }),
  outputs: { 200: z.looseObject({ parameters: z.looseObject({}), signature: z.string() }) },
  errors: ['not_found', 'rate_limited'],
  async handle(call, { funnels }) {
    const token = call.query().get('t') ?? '';
    const slug = call.param('slug');
    const challenge = await funnels.submits.challenge({ slug, token, ip: call.ip });
    if (!challenge) throw new AppError('not_found', 'This page does not exist or has expired.');
    if ('parameters' in challenge) return { status: 200, body: challenge };
    const retry_after = challenge.seconds;
    throw new AppError('rate_limited', 'Too many requests for work.', { retry_after });
  },
};
