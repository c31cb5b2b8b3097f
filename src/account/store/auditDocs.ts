/** Who changed what: one entry for every action that writes, and every change that a partner makes. */
export interface AuditDoc extends KeptActor {
  _id: string;
  org_id: string;
  at: Date;
  action: string;
  /** The input of the action, without secrets. */
  input: Record<string, unknown>;
  /** Ids of the records that it concerned; absent in entries of earlier releases. */
  records?: string[];
  /** Null: the action began, and its result was not recorded. */
  outcome: 'done' | 'refused' | 'failed' | null;
  /** Why it was refused, or that it failed. */
  error?: string;
}

/** Who read data of people: one entry for every answer that showed some. */
export type AuditReadDoc = Omit<AuditDoc, 'outcome' | 'error'>;

export interface Actor {
  kind: 'key' | 'person';
  id: string;
  /** The name at that time. */
  name: string;
}

/** The buyer or supplier that a person acts for, where it is not the organization itself. */
export interface ActingParty {
  kind: 'buyer' | 'supplier';
  id: string;
}

/** How records store the actor: a key in two fields, as in earlier releases, a person in one. */
interface KeptActor {
  key_id?: string;
  key_name?: string;
  person?: { id: string; name: string };
  /** For a person of a partner. */
  party?: ActingParty;
}

export const keptActor = ({ kind, id, name }: Actor, party?: ActingParty): KeptActor =>
  kind === 'key' ? { key_id: id, key_name: name } : { person: { id, name }, party };
