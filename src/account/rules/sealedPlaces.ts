/** Where the sealed values of the account belong. A copy in a plan is opened as what it is a copy of. */
import type { SealedPlace } from '../../platform/security/sealedValue.js';

/** The key that a supplier sends its leads with. */
export const supplierKeyPlace = (id: string): SealedPlace => ({
  collection: 'suppliers',
  id,
  field: 'api_key',
});

/** What a buyer sends with outcomes. */
export const webhookSecretPlace = (id: string): SealedPlace => ({
  collection: 'buyers',
  id,
  field: 'webhook_secret',
});

/** What requests to a buyer are signed with, and the previous secret. */
export const signingSecretPlace = (id: string): SealedPlace => ({
  collection: 'buyers',
  id,
  field: 'signing_secret',
});

/** A header for a buyer, in its delivery, its ping, or what a campaign overrides: a plan does not distinguish them. */
export const buyerHeaderPlace = (id: string, name: string): SealedPlace => ({
  collection: 'buyers',
  id,
  field: `headers.${name.toLowerCase()}`,
});

/** What events are signed with, and the previous secret. */
export const automationSecretPlace = (id: string): SealedPlace => ({
  collection: 'automations',
  id,
  field: 'secret',
});

/** The additional headers of a webhook, as JSON. */
export const automationHeadersPlace = (id: string): SealedPlace => ({
  collection: 'automations',
  id,
  field: 'target.headers',
});

/** An address that is itself a secret. */
export const automationUrlPlace = (id: string): SealedPlace => ({
  collection: 'automations',
  id,
  field: 'target.url',
});
