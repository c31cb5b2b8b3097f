/** Who changed what: one entry for every action that writes, and every change that a partner makes. */
import type { KeptActor } from '../rules/actor.js';

export interface AuditDoc extends KeptActor {
  _id: string;
  org_id: string;
  at: Date;
  action: string;
  /** The input of the action, without secrets. */
  input: Record<string, unknown>;
  /** Null: the action began, and its result was not recorded. */
  outcome: 'done' | 'refused' | 'failed' | null;
  /** Why it was refused, or that it failed. */
  error?: string;
}

/** Who read data of people: one entry for every answer that showed some. */
export type AuditReadDoc = Omit<AuditDoc, 'outcome' | 'error'>;
