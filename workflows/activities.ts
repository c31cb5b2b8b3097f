/**
 * The activities that workflows call. `createActivities` of `activities/index.ts` implements them; a worker registers
 * each under its name here, which is the one in recorded histories.
 */
import type {
  ChangesInput,
  ChangesResult,
  DrainResult,
  Expired,
  IntakeInput,
  ProcessResult,
  QueueOrder,
} from './messages.js';
import type { QueueAnswer } from './queueCommands.js';

export interface Activities {
  processLeads: (input: IntakeInput) => Promise<ProcessResult>;
  applyChanges: (input: ChangesInput) => Promise<ChangesResult>;
  drainDestination: (input: { buyerId: string }) => Promise<DrainResult>;
  drainEndpoint: (input: { automationId: string }) => Promise<DrainResult>;
  commandQueue: (order: QueueOrder) => Promise<QueueAnswer>;
  /** @param input `until`, ISO 8601 */
  expirePings: (input: { until: string }) => Promise<Expired>;
  /** @param input `until`, ISO 8601 */
  expireOutcomes: (input: { until: string }) => Promise<Expired>;
  /** Returns the number of repairs of each kind. */
  reconcile: () => Promise<Record<string, number>>;
}
