/** What looking for alerts needs. */
import type { AccountCollections } from '../account/store/collections.js';
import type { PlanStore } from '../account/store/plans.js';
import type { DeliveryCollections } from '../deliveries/store/collections.js';
import type { EventCollections } from '../events/store/collections.js';
import type { OtherEvent } from '../events/store/eventDocs.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { Clock } from '../lib/clock.js';
import type { ReportCollections } from '../reports/store/collections.js';
import type { CapStore } from '../routing/store/caps.js';
import type { AlertCollections } from './store/collections.js';

export interface AlertDeps {
  collections: Pick<
    AccountCollections &
      AlertCollections &
      DeliveryCollections &
      EventCollections &
      LeadCollections &
      ReportCollections,
    | 'alerts'
    | 'alertPasses'
    | 'buyers'
    | 'campaigns'
    | 'deliveries'
    | 'destinations'
    | 'events'
    | 'leads'
    | 'rollups'
  >;
  plans: PlanStore;
  caps: Pick<CapStore, 'read'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Publishes stored events; absent: none is published. */
  publishEvents?: (events: readonly OtherEvent[]) => Promise<void>;
  /** True once the process is stopping: no further campaign is begun. */
  stopping(): boolean;
}
