/** How often a key may call (specification 8): 120 calls a minute, of which 30 may write; HTTP and MCP share it. */
import type { Collection } from 'mongodb';
import { AppError } from '../errors.js';
import { useWindow, type WindowDoc, type WindowUse } from '../store/windows.js';

const CALLS_A_MINUTE = 120;
const WRITES_A_MINUTE = 30;
const WINDOW_MS = 60_000;
const LIMITS = { all: CALLS_A_MINUTE, writes: WRITES_A_MINUTE, windowMs: WINDOW_MS };

/**
 * Counts a call of the key. Returns the RateLimit headers of its answer.
 * @throws {AppError} `rate_limited`; a call that is refused does not count
 */
export async function countCall(
  windows: Collection<WindowDoc>,
  keyId: string,
  isWrite: boolean,
): Promise<Record<string, string>> {
  const use = await useWindow(windows, keyId, LIMITS, isWrite);
  const headers = headersOf(use);
  if (use.allowed) return headers;
  const retry_after = secondsOf(use);
  const what = use.kind === 'writes' ? `${WRITES_A_MINUTE} writes` : `${CALLS_A_MINUTE} calls`;
  const message = `More than ${what} in a minute with this key. Call again in ${retry_after} s.`;
  throw new AppError('rate_limited', message, { retry_after, headers });
}

const NAMES = { all: 'actions', writes: 'writes' } as const;
const secondsOf = ({ resetMs }: WindowUse): number => Math.max(1, Math.ceil(resetMs / 1_000));

/** The fields of draft-ietf-httpapi-ratelimit-headers-11: both policies, and the state of the one that speaks. */
const headersOf = (use: WindowUse): Record<string, string> => ({
  'RateLimit-Policy': `"${NAMES.all}";q=${CALLS_A_MINUTE};w=60, "${NAMES.writes}";q=${WRITES_A_MINUTE};w=60`,
  RateLimit: `"${NAMES[use.kind]}";r=${use.left};t=${secondsOf(use)}`,
});
