import type { Log } from '../../src/log.js';
import type { CapStore } from '../../src/store/caps.js';
import type { DeliveryStore } from '../../src/store/deliveries.js';
import type { DestinationStore } from '../../src/store/destinations.js';
import type { EventStore } from '../../src/store/events.js';
import type { LeadStore } from '../../src/store/leads.js';
import type { TurnStore } from '../../src/store/turns.js';
import type { ExpiryBuckets } from '../../src/temporal/expiryBuckets.js';
import type { ChannelDeps } from '../delivery/channel.js';

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
   * Starts the drains of these buyers where none runs; `recovered` ends their rest. Nobody waits for it:
   * the rows are stored, and what a failure leaves is found by reconcile.
   */
  wake(buyerIds: readonly string[], orgId: string, options?: { recovered: boolean }): void;
}
