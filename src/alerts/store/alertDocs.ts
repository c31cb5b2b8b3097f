/** Conditions that a person should know of, as they are stored. */
import type { AlertEvent } from '../../events/store/eventDocs.js';

export interface AlertDoc {
  /** What it is about: the condition, and its window where it has one. */
  _id: string;
  org_id: string;
  kind: AlertKind;
  /** Raised, and not over yet. */
  open: boolean;
  /** When it was last raised. */
  since: Date;
  /** Number of events so far; numbers the next one. */
  seq: number;
  /** Events that are written with this change, and not published yet. */
  untold?: AlertEvent[];
  /** Deleted then: its window is over, or it is long ago. Absent: never. */
  kept_until?: Date;
}

export type AlertKind = 'cap' | 'supplier' | 'queue' | 'acceptance';

/** How far a look at all campaigns has come. */
export interface AlertPassDoc {
  _id: 'caps' | 'campaigns';
  /** The id of the last campaign that was looked at; empty: none. */
  after: string;
  /** The next pass begins then. */
  next_at: Date;
}
