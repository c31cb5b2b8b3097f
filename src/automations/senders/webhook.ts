import { automationHeadersPlace, automationSecretPlace } from '../../account/rules/sealedPlaces.js';
import { signedHeaders, signingSecrets } from '../../platform/security/signatures.js';
import { RESERVED_HEADERS } from '../../account/rules/reservedHeaders.js';
import { httpResult } from './httpResult.js';
import { TIMEOUT_MS, type Sender } from './sender.js';

/** The envelope, signed in both ways: as deliveries are, and as Standard Webhooks has it. */
export const sendWebhook: Sender<'WEBHOOK'> = async ({ envelope }, automation, deps) => {
  const { target, secret, previous_secret: previous } = automation;
  const now = deps.clock.now();
  const body = JSON.stringify(envelope);
  const place = automationSecretPlace(automation._id);
  const secrets = signingSecrets(secret, previous, { keyring: deps.keyring, now, place });
  const reply = await deps.outbound.send({
    url: target.url,
    orgId: automation.org_id,
    headers: {
      ...own(
        target.headers
          ? deps.keyring.open(target.headers, automationHeadersPlace(automation._id))
          : '{}',
      ),
      'content-type': 'application/json',
      ...signedHeaders(secrets, { id: envelope.id, body, at: now }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  });
  return httpResult(reply, now);
};

/** Headers that the receiver wants in addition to ours. */
const own = (json: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as Record<string, string>)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !RESERVED_HEADERS.has(name)),
  );
