import { signingSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import { signMessage } from '../../../src/platform/security/signatures.js';
import type { Deps } from '../../../src/app/deps.js';
import type { OutboundRequest } from '../../../src/platform/outbound/http.js';
import { noFaults, type Mutant } from './mutant.js';

/** Each request has a key of its own, and is signed with it: no buyer can recognize a lead that it already has. */
const alter = (deps: Deps): Deps => ({
  ...deps,
  outbound: {
    ...deps.outbound,
    async send(request) {
      const id = randomUUID();
      const headers = { ...request.headers, 'idempotency-key': id, 'webhook-id': id };
      const signature = await signatureOf({ ...request, headers }, deps);
      return deps.outbound.send({
        ...request,
        headers: { ...headers, 'webhook-signature': signature },
      });
    },
  },
});

/** Signs with the secret of the buyer that the body names. */
async function signatureOf(
  { headers, body }: Pick<OutboundRequest, 'headers' | 'body'>,
  { collections, keyring }: Pick<Deps, 'collections' | 'keyring'>,
): Promise<string> {
  const { buyer_id } = JSON.parse(body) as { buyer_id?: string };
  const buyer = await collections.buyers.findOne({ _id: buyer_id ?? '' });
  if (!buyer) return headers['webhook-signature'] ?? '';
  const [id, timestamp] = [headers['webhook-id'] ?? '', Number(headers['webhook-timestamp'])];
  return signMessage([keyring.open(buyer.signing_secret, signingSecretPlace(buyer._id))], {
    id,
    timestamp,
    body,
  });
}

export const newKeyPerTry: Mutant = {
  alter,
  caughtBy: ['key_changed', 'taken_twice'],
  needs: { campaigns: ['flaky'], rate: 40, faults: noFaults },
};
