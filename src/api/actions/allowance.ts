/** How often a key may call (contract 9.4): HTTP and MCP share it. */
import type { Collection } from 'mongodb';
import { limitsOf } from '../../account/keys/keyLimits.js';
import { AppError } from '../../lib/errors.js';
import type { OrgKeyDoc } from '../../account/store/keyDocs.js';
import type { KeyLimits } from '../../account/store/keyLimits.js';
import { rateLimitHeaders } from '../../platform/rateLimits/headers.js';
import {
  useWindow,
  type WindowDoc,
  type WindowUse,
} from '../../platform/rateLimits/store/windows.js';

const WINDOW_MS = 60_000;

/**
 * Counts a call of the key. Returns the RateLimit headers of its answer.
 * @throws {AppError} `rate_limited`; a call that is refused does not count
 */
export async function countCall(
  windows: Collection<WindowDoc>,
  key: Pick<OrgKeyDoc, '_id' | 'limits'>,
  isWrite: boolean,
): Promise<Record<string, string>> {
  const limits = limitsOf(key);
  const { calls_per_minute: all, writes_per_minute: writes } = limits;
  const use = await useWindow(windows, key._id, { all, writes, windowMs: WINDOW_MS }, isWrite);
  const headers = headersOf(use, limits);
  if (use.allowed) return headers;
  const retry_after = secondsOf(use);
  const what = use.kind === 'writes' ? `${writes} writes` : `${all} calls`;
  const message = `This key made more than ${what} in a minute. Call again in ${retry_after} s.`;
  throw new AppError('rate_limited', message, { retry_after, headers });
}

const NAMES = { all: 'actions', writes: 'writes' } as const;
const secondsOf = ({ resetMs }: WindowUse): number => Math.max(1, Math.ceil(resetMs / 1_000));

const headersOf = (use: WindowUse, limits: KeyLimits): Record<string, string> => {
  const windowSeconds = WINDOW_MS / 1_000;
  const policies = [
    { name: NAMES.all, quota: limits.calls_per_minute, windowSeconds },
    { name: NAMES.writes, quota: limits.writes_per_minute, windowSeconds },
  ];
  const state = { name: NAMES[use.kind], remaining: use.left, resetSeconds: secondsOf(use) };
  return rateLimitHeaders(policies, state);
};
