/** Sends a lead to a buyer as the service does. */
import { signingSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { request } from 'undici';
import { openHeaders } from '../../../src/account/buyers/sealedHeaders.js';
import { signBody } from '../../../src/platform/security/signatures.js';
import { readReply } from '../../../src/deliveries/rules/delivery.js';
import type { DeliverySettings } from '../../../src/account/rules/deliverySettings.js';
import { buildWebhook } from '../../../src/deliveries/rules/webhook.js';
import { termsOf, type Surroundings } from './surroundings.js';
import type { Attempt, KnownLead } from './way.js';

/** Posts the lead to the buyer, signed. */
export async function send(
  { plan, keyring, agent }: Surroundings,
  lead: KnownLead,
  buyerId: string,
  n: number,
): Promise<Attempt> {
  const terms = termsOf(plan, buyerId);
  const settings = terms.delivery as DeliverySettings<'WEBHOOK'>;
  const { id: _id, fields, extra } = lead;
  const created_at = new Date(lead.created_at);
  const { campaign_id } = plan;
  const delivered = { _id, campaign_id, fields, extra, is_test: false, created_at };
  const { url, headers, body } = buildWebhook(delivered, terms, {
    ...settings,
    headers: openHeaders(settings.headers, terms.buyer_id, keyring),
  });
  const signature = signBody(
    keyring.open(terms.signing_secret, signingSecretPlace(terms.buyer_id)),
    body,
  );
  const askedAt = new Date().toISOString();
  const started = performance.now();
  const reply = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { ...headers, 'x-leaddistro-signature': signature },
    body,
  });
  const answer = {
    kind: 'answered' as const,
    status: reply.statusCode,
    headers: {},
    body: await reply.body.text(),
  };
  const latencyMs = Math.round(performance.now() - started);
  const verdict = readReply(answer, new Date(), settings.response);
  return { buyerId, n, askedAt, latencyMs, verdict };
}
