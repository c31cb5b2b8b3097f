/** Senders that post to a receiver: its webhook, or an incoming webhook of Slack. */
import {
  automationHeadersPlace,
  automationSecretPlace,
  automationUrlPlace,
} from '../../account/rules/sealedPlaces.js';
import { signedHeaders, signingSecrets } from '../../platform/security/signatures.js';
import { receiverHeaders } from '../../account/rules/reservedHeaders.js';
import { readStatus } from '../../deliveries/rules/delivery.js';
import type { TransportReply } from '../../platform/outbound/reply.js';
import { slackText } from '../rules/eventText.js';
import { TIMEOUT_MS, type Sender, type SendResult } from './sender.js';

/** The envelope, signed in both ways: as deliveries are, and as Standard Webhooks has it. */
export const sendWebhook: Sender<'WEBHOOK'> = async ({ envelope }, automation, deps) => {
  const { _id, target, secret, previous_secret: previous } = automation;
  const { keyring } = deps;
  const now = deps.clock.now();
  const body = JSON.stringify(envelope);
  const secrets = signingSecrets(secret, previous, {
    keyring,
    now,
    place: automationSecretPlace(_id),
  });
  const headers = target.headers ? keyring.open(target.headers, automationHeadersPlace(_id)) : '{}';
  const reply = await deps.outbound.send({
    url: target.url,
    orgId: automation.org_id,
    headers: {
      ...receiverHeaders(JSON.parse(headers) as Record<string, string>),
      'content-type': 'application/json',
      ...signedHeaders(secrets, { id: envelope.id, body, at: now }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  });
  return httpResult(reply, now);
};

/** A message to an incoming webhook of Slack. */
export const sendToSlack: Sender<'SLACK'> = async (
  { envelope },
  { _id, target, org_id: orgId },
  deps,
) => {
  const reply = await deps.outbound.send({
    url: deps.keyring.open(target.url, automationUrlPlace(_id)),
    orgId,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: slackText(envelope) }),
    timeoutMs: TIMEOUT_MS,
  });
  return httpResult(reply, deps.clock.now());
};

const GONE = 410;

/**
 * 2xx is an acceptance. 410 means that the receiver is permanently gone (RFC 9110, 15.5.11). Any other 4xx, except
 * those about the moment, is the answer of a healthy receiver.
 */
function httpResult(reply: TransportReply, now: Date): SendResult {
  if (reply.kind !== 'answered') return { kind: 'failed', reason: reply.reason };
  const { status } = reply;
  const { result, retry_after_ms } = readStatus(reply, now);
  if (result === 'accepted') return { kind: 'delivered', http_status: status };
  const failure = { reason: `answered ${String(status)}`, http_status: status };
  if (status === GONE) return { kind: 'gone', ...failure };
  return {
    kind: 'failed',
    ...failure,
    answered: result === 'rejected' || undefined,
    retryAfterMs: retry_after_ms,
  };
}
