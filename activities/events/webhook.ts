import { signBody, signMessage } from '../../src/auth/signatures.js';
import { RESERVED_HEADERS } from '../../src/domain/webhook.js';
import { httpResult } from './httpResult.js';
import { TIMEOUT_MS, type Sender } from './sender.js';

/** The envelope, signed in both ways: as deliveries are, and as Standard Webhooks has it. */
export const sendWebhook: Sender<'WEBHOOK'> = async ({ envelope }, automation, deps) => {
  const { target, secret, previous_secret: previous } = automation;
  const now = deps.clock.now();
  const body = JSON.stringify(envelope);
  const timestamp = Math.floor(Number(now) / 1_000);
  const current = deps.keyring.open(secret);
  const before = previous && previous.until > now ? [deps.keyring.open(previous.secret)] : [];
  const reply = await deps.outbound.send({
    url: target.url,
    headers: {
      ...own(target.headers ? deps.keyring.open(target.headers) : '{}'),
      'content-type': 'application/json',
      'x-leaddistro-signature': signBody(current, body),
      'webhook-id': envelope.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signMessage([current, ...before], { id: envelope.id, timestamp, body }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  });
  return httpResult(reply, now);
};

/** Those that the receiver wants beside ours. */
const own = (json: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as Record<string, string>)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !RESERVED_HEADERS.has(name) && !name.startsWith('webhook-')),
  );
