import { signingSecretPlace } from '../../account/rules/sealedPlaces.js';
import { openHeaders } from '../../account/buyers/sealedHeaders.js';
import { signedHeaders, signingSecrets } from '../../platform/security/signatures.js';
import { readReply } from '../rules/delivery.js';
import { idempotencyKeyOf } from '../rules/payload.js';
import { buildWebhook } from '../rules/webhook.js';
import type { Channel } from './channel.js';

/** An HTTP POST, signed over the bytes that are sent; its Idempotency-Key is the id of the message, at every attempt. */
export const sendWebhook: Channel<'WEBHOOK'> = async (outgoing, settings, deps) => {
  const { org_id: orgId, lead, terms, sendBy } = outgoing;
  const { keyring, clock } = deps;
  const { url, headers, body } = buildWebhook(lead, terms, {
    ...settings,
    headers: openHeaders(settings.headers, terms.buyer_id, keyring),
  });
  const at = clock.now();
  const { signing_secret: secret, previous_signing: previous } = terms;
  const place = signingSecretPlace(terms.buyer_id);
  const secrets = signingSecrets(secret, previous, { keyring, now: at, place });
  const reply = await deps.outbound.send({
    url,
    orgId,
    headers: {
      ...headers,
      ...signedHeaders(secrets, { id: idempotencyKeyOf(lead, terms), body, at }),
    },
    body,
    timeoutMs: settings.timeout_ms,
    sendBy,
  });
  return {
    verdict: readReply(reply, deps.clock.now(), settings.response),
    answer: reply.kind === 'answered' ? reply.body : undefined,
  };
};
