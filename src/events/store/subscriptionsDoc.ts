import type { EventType } from '../rules/events.js';

/** Which events of an organisation are wanted: only these are written with what they report. */
export interface EventSubscriptionsDoc {
  /** The organisation's id. */
  _id: string;
  /** What its active automations wait for. */
  types: EventType[];
  /** Counts the changes of `types`. */
  seq?: number;
  /** Somebody reads events as they happen: until then all of them are wanted. */
  listening_until?: Date;
}
