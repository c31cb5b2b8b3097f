import type { EventType } from '../rules/events.js';

/** Which events of an organization have subscribers: only these are written with the change they report. */
export interface EventSubscriptionsDoc {
  /** The organization's id. */
  _id: string;
  /** The triggers of its active automations. */
  types: EventType[];
  /** Number of changes of `types`. */
  seq?: number;
  /** A reader follows events as they happen: until then all of them are written. */
  listening_until?: Date;
}
