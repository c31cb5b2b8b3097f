/** Who is notified of an event: its trigger, its campaign and its conditions must all hold. */
import type { EventType } from '../../events/rules/events.js';
import { isScalar } from '../../fields/filterOperators.js';
import { evaluateFilters, type FilterContext, type FilterGroup } from '../../fields/filters.js';
import type { Fields, Scalar } from '../../fields/values.js';

export interface Listener {
  trigger: EventType;
  /** Null: of every campaign. */
  campaign_id: string | null;
  conditions: FilterGroup | null;
  /** Only leads of this supplier that were answered `pending`; absent: every event. */
  supplier_id?: string;
}

export interface MatchableEvent {
  type: EventType;
  /** Null: the event is of no campaign, and tells nobody who asks for one. */
  campaign_id: string | null;
  /** The supplier that waits for this decision of its lead: it was answered `pending`. Null: none does. */
  awaited_by: string | null;
  /** Fields of the lead; none, of an event that is about no lead. */
  fields: Fields;
  /** What the event says beside them. In a condition these names go before those of fields. */
  data: Record<string, unknown>;
}

/** Test leads set automations off as others do: that they are tests is said in the event. */
export function matchesAutomation(
  listener: Listener,
  heard: MatchableEvent,
  context: FilterContext,
): boolean {
  if (listener.trigger !== heard.type) return false;
  if (listener.campaign_id !== null && listener.campaign_id !== heard.campaign_id) return false;
  if (listener.supplier_id !== undefined && listener.supplier_id !== heard.awaited_by) return false;
  if (listener.conditions === null) return true;
  const values = { ...heard.fields, ...scalarsOf(heard.data) };
  return evaluateFilters(listener.conditions, values, context).length === 0;
}

const scalarsOf = (data: Record<string, unknown>): Fields =>
  Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, Scalar] => isScalar(entry[1])),
  );
