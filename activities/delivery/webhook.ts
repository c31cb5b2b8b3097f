import { signBody } from '../../src/auth/signatures.js';
import { readReply } from '../../src/domain/delivery.js';
import { buildWebhook } from '../../src/domain/webhook.js';
import type { Channel } from './channel.js';

/** An HTTP POST, signed over the bytes that are sent. */
export const sendWebhook: Channel<'WEBHOOK'> = async ({ lead, terms, sendBy }, settings, deps) => {
  const { url, headers, body } = buildWebhook(lead, terms, settings);
  const signature = signBody(deps.keyring.open(terms.signing_secret), body);
  const reply = await deps.outbound.send({
    url,
    headers: { ...headers, 'x-leaddistro-signature': signature },
    body,
    timeoutMs: settings.timeout_ms,
    sendBy,
  });
  return {
    verdict: readReply(reply, deps.clock.now(), settings.response),
    ...(reply.kind === 'answered' ? { answer: reply.body } : {}),
  };
};
