import { readStatus } from '../../deliveries/rules/delivery.js';
import type { TransportReply } from '../../platform/outbound/reply.js';
import type { SendResult } from './sender.js';

const GONE = 410;

/**
 * 2xx is an acceptance. 410 means that the receiver is permanently gone (RFC 9110, 15.5.11). Any other 4xx, except
 * those about the moment, is the answer of a healthy receiver.
 */
export function httpResult(reply: TransportReply, now: Date): SendResult {
  if (reply.kind !== 'answered') return { kind: 'failed', reason: reply.reason };
  const { status } = reply;
  const { result, retry_after_ms } = readStatus(reply, now);
  if (result === 'accepted') return { kind: 'delivered', http_status: status };
  const said = { reason: `answered ${String(status)}`, http_status: status };
  if (status === GONE) return { kind: 'gone', ...said };
  return {
    kind: 'failed',
    ...said,
    answered: result === 'rejected' || undefined,
    retryAfterMs: retry_after_ms,
  };
}
