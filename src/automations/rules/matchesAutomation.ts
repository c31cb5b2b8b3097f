/** Which automations are notified of an event: trigger, campaign and conditions must all match. */
import type { EventType } from '../../events/rules/events.js';
import { evaluateFilters, type FilterContext, type FilterGroup } from '../../fields/filters.js';
import type { Fields } from '../../fields/values.js';

export interface Listener {
  trigger: EventType;
  /** Null: every campaign. */
  campaign_id: string | null;
  conditions: FilterGroup | null;
  /** Only leads of this supplier that were answered `pending`; absent: every event. */
  supplier_id?: string;
}

export interface MatchableEvent {
  type: EventType;
  /** Null: the event has no campaign, and matches no automation that requires one. */
  campaign_id: string | null;
  /** The supplier that waits for this decision of its lead: it received `pending`. Null: none does. */
  awaited_by: string | null;
  /**
   * Mapped fields of the lead, which alone conditions are set on; empty for an event without a lead. A value of the event
   * is never meant, not even by a field of its name, such as `status`, that the lead does not have.
   */
  fields: Fields;
}

/** Test leads trigger automations as others do: the event marks them as tests. */
export function matchesAutomation(
  listener: Listener,
  event: MatchableEvent,
  context: FilterContext,
): boolean {
  if (listener.trigger !== event.type) return false;
  if (listener.campaign_id !== null && listener.campaign_id !== event.campaign_id) return false;
  if (listener.supplier_id !== undefined && listener.supplier_id !== event.awaited_by) return false;
  if (listener.conditions === null) return true;
  return evaluateFilters(listener.conditions, event.fields, context).length === 0;
}
