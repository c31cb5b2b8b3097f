/** Who changes or reads an account: one of its keys, or a person. */

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
export interface KeptActor {
  key_id?: string;
  key_name?: string;
  person?: { id: string; name: string };
  /** For a person of a partner. */
  party?: ActingParty;
}

export const keptActor = ({ kind, id, name }: Actor, party?: ActingParty): KeptActor =>
  kind === 'key'
    ? { key_id: id, key_name: name }
    : { person: { id, name }, ...(party ? { party } : {}) };
