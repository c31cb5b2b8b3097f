/**
 * The activities that workflows call. `createActivities` of `activities/index.ts` implements them; a worker registers
 * each under the name it has here, which recorded histories know.
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
  /** How many were repaired of each kind. */
  reconcile: () => Promise<Record<string, number>>;
}
