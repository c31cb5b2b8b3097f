/** How often a session may call a portal. */
import type { Collection } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { rateLimitHeaders } from '../../platform/rateLimits/headers.js';
import { useWindow, type WindowDoc } from '../../platform/rateLimits/store/windows.js';

const CALLS = 600;
const WINDOW_MS = 60_000;

/**
 * Counts a call of the session. Returns the RateLimit headers of its answer.
 * @throws {AppError} `rate_limited`; a call that is refused does not count
 */
export async function countCall(
  windows: Collection<WindowDoc>,
  sessionId: string,
): Promise<Record<string, string>> {
  const limits = { all: CALLS, writes: CALLS, windowMs: WINDOW_MS };
  const use = await useWindow(windows, `portal:${sessionId}`, limits, false);
  const resetSeconds = Math.max(1, Math.ceil(use.resetMs / 1_000));
  const policies = [{ name: 'calls', quota: CALLS, windowSeconds: WINDOW_MS / 1_000 }];
  const headers = rateLimitHeaders(policies, { name: 'calls', remaining: use.left, resetSeconds });
  if (use.allowed) return headers;
  const message = `This session made more than ${CALLS} calls in a minute. Try again in ${resetSeconds} s.`;
  throw new AppError('rate_limited', message, { retry_after: resetSeconds, headers });
}
