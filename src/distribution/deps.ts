import type { Log } from '../lib/log.js';
import type { CapStore } from '../routing/store/caps.js';
import type { DeliveryStore } from '../deliveries/store/deliveries.js';
import type { DestinationStore } from '../deliveries/store/destinations.js';
import type { EventStore } from '../deliveries/store/destinationEvents.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { TurnStore } from '../routing/store/turns.js';
import type { ExpiryBuckets } from '../platform/temporal/expiryBuckets.js';
import type { ChannelDeps } from '../deliveries/channels/channel.js';

export interface SellingDeps extends ChannelDeps {
  leads: LeadStore;
  deliveries: DeliveryStore;
  caps: CapStore;
  destinations: DestinationStore;
  events: EventStore;
  turns: TurnStore;
  /** Told when the time for an outcome of a sale ends. */
  outcomeWindows: ExpiryBuckets;
  log: Log;
  /**
   * Starts the drains of these buyers where none runs; `recovered` ends their cooldown. Nobody waits for it:
   * the rows are stored, and what a failure leaves is found by reconcile.
   */
  wake(buyerIds: readonly string[], orgId: string, options?: { recovered: boolean }): void;
}
