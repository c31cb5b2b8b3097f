/** Where the sealed values of the account belong. A copy in a plan is opened as what it is a copy of. */
import type { SealedPlace } from '../../platform/security/sealedValue.js';

const placeIn =
  (collection: string, field: string) =>
  (id: string): SealedPlace => ({ collection, id, field });

/** The key that a supplier sends its leads with. */
export const supplierKeyPlace = placeIn('suppliers', 'api_key');

/** What a buyer sends with outcomes. */
export const webhookSecretPlace = placeIn('buyers', 'webhook_secret');

/** What requests to a buyer are signed with, and the previous secret. */
export const signingSecretPlace = placeIn('buyers', 'signing_secret');

/** A header for a buyer, in its delivery, its ping, or what a campaign overrides: a plan does not distinguish them. */
export const buyerHeaderPlace = (id: string, name: string): SealedPlace =>
  placeIn('buyers', `headers.${name.toLowerCase()}`)(id);

/** What events are signed with, and the previous secret. */
export const automationSecretPlace = placeIn('automations', 'secret');

/** The additional headers of a webhook, as JSON. */
export const automationHeadersPlace = placeIn('automations', 'target.headers');

/** An address that is itself a secret. */
export const automationUrlPlace = placeIn('automations', 'target.url');
