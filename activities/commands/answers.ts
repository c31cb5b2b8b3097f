import type { Lead, TrailEntry } from '../../src/domain/lead.js';
import type { QueueAnswer, Refusal } from '../../src/domain/queueCommands.js';
import type { DeliveryDoc } from '../../src/store/collections.js';
import type { Run } from '../selling/task.js';

/** A waiting lead that the command has for itself. */
export interface Taken {
  lead: Lead;
  row: DeliveryDoc;
  run: Run;
  /** What goes on its trail. */
  trail: TrailEntry[];
}

/** A business refusal is an answer, not an error: nobody needs to be woken for it. */
export const refuse = (refused: Refusal, message: string): QueueAnswer => ({ refused, message });
