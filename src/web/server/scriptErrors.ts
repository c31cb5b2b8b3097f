/** Errors in the pages' scripts, as browsers report them: to the log and a metric, never more than a few a minute. */
import { z } from 'zod';
import type { Endpoint } from '../../api/http/endpoint.js';
import { parseObject } from '../../api/http/parseBody.js';
import { AppError } from '../../lib/errors.js';

/** Only words, places in our files, and the shape of the address: nothing that a person has typed. */
const ScriptError = z.object({
  name: z.string().regex(/^\w{1,60}$/),
  screen: z.string().regex(/^[a-z/:-]{0,200}$/),
  at: z.array(z.string().regex(/^[\w.-]{1,80}:\d{1,7}:\d{1,7}$/)).max(10),
});

const BODY_MAX_BYTES = 4_096;
const MINUTE_MS = 60_000;
const MAX_PER_MINUTE = 60;

/** Counted per process, for all browsers together: clients must not be able to fill the log. */
const minute = { startedAt: 0, count: 0 };

function isTooMany(now: number): boolean {
  if (now - minute.startedAt >= MINUTE_MS) Object.assign(minute, { startedAt: now, count: 0 });
  return ++minute.count > MAX_PER_MINUTE;
}

export const scriptErrors: Endpoint = {
  id: 'scriptErrors',
  method: 'post',
  path: '/portal/api/errors',
  summary: 'Report an error in the script of a page',
  description: 'Kept in the log of the service, without personal data.',
  tag: 'api',
  auth: 'page',
  input: ScriptError,
  readsBody: true,
  outputs: { 204: z.void() },
  errors: ['rate_limited', 'invalid_input', 'body_too_large'],
  async handle(call, { log, metrics }) {
    if (isTooMany(performance.now())) {
      throw new AppError('rate_limited', 'Too many errors were reported.', { retry_after: 60 });
    }
    const bytes = await call.readBytes(BODY_MAX_BYTES);
    const report = ScriptError.safeParse(parseObject(bytes, call.header('content-type') ?? ''));
    if (!report.success) throw new AppError('invalid_input', 'This does not describe an error.');
    metrics.scriptErrors.inc();
    log.warn({ request_id: call.requestId, ...report.data }, 'a page failed in a browser');
    return { status: 204, body: '' };
  },
};
