import type { Log } from '../lib/log.js';
import type { CapStore } from '../routing/store/caps.js';
import type { DeliveryStore } from '../deliveries/store/deliveries.js';
import type { DestinationStore } from '../deliveries/store/destinations.js';
import type { EventStore } from '../deliveries/store/destinationEvents.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { TurnStore } from '../routing/store/turns.js';
import type { Metrics } from '../platform/metrics.js';
import type { ExpiryBuckets } from '../platform/temporal/expiryBuckets.js';
import type { ChannelDeps } from '../deliveries/channels/channel.js';

export interface SellingDeps extends ChannelDeps {
  leads: LeadStore;
  deliveries: DeliveryStore;
  caps: CapStore;
  destinations: DestinationStore;
  events: EventStore;
  turns: TurnStore;
  /** Notified of the time at which a sale's conversion window ends. */
  conversionWindows: ExpiryBuckets;
  metrics: Pick<Metrics, 'countAttempt'>;
  log: Log;
  /**
   * Starts the drains of these buyers where none runs; `recovered` ends their cooldown. It is not awaited:
   * the rows are stored, and `reconcile` finds what a failure leaves.
   */
  wake(buyerIds: readonly string[], orgId: string, options?: { recovered: boolean }): void;
}
