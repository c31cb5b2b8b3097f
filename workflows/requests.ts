/** Validates an operator's request before anything is done about it. */
import type { QueueCommand } from './queueCommands.js';
import type { QueueRequest } from './messages.js';

const ID_MAX = 100;
const RESULTS: readonly unknown[] = ['accepted', 'rejected'];

/** Null when it is valid; else a sentence that names the field, and what would be valid. */
export function problemOf(action: QueueCommand, request: QueueRequest | undefined): string | null {
  // It may have been typed by hand.
  const given: Partial<Record<keyof QueueRequest, unknown>> = { ...request };
  const leadId = given.lead_id ?? null;
  if (leadId !== null && !isId(leadId))
    return `lead_id must be a lead's id, a text of 1 to ${String(ID_MAX)} characters, or absent for the whole queue.`;
  if (action !== 'resolve')
    return given.result === undefined
      ? null
      : `result is only for resolve; ${action} has a lead_id, or none for the whole queue.`;
  if (leadId === null) return 'lead_id is required: each delivery is resolved separately.';
  return RESULTS.includes(given.result)
    ? null
    : 'result must be accepted (the buyer has the lead) or rejected (it does not).';
}

const isId = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= ID_MAX;
