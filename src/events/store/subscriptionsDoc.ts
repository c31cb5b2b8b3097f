import type { EventType } from '../rules/events.js';

/** Which events of an organization have subscribers: only these are written with what they report. */
export interface EventSubscriptionsDoc {
  /** The organization's id. */
  _id: string;
  /** What its active automations wait for. */
  types: EventType[];
  /** Counts the changes of `types`. */
  seq?: number;
  /** A reader follows events as they happen: until then all of them are written. */
  listening_until?: Date;
}
