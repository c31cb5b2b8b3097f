import type { Lead } from '../../leads/rules/lead.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { QueueAnswer, Refusal } from '../../../workflows/queueCommands.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import type { Lease } from '../task.js';

/** A waiting lead that the command has acquired. */
export interface AcceptedCommand {
  lead: Lead;
  row: DeliveryDoc;
  lease: Lease;
  /** Entries to add to its trail. */
  trail: TrailEntry[];
}

/** A business refusal is an answer, not an error: it must raise no alert. */
export const refuse = (refused: Refusal, message: string): QueueAnswer => ({ refused, message });
