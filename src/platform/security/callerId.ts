/** The caller that a request's credential identifies; reveals nothing of the credential itself. */
export interface CallerId {
  actor: 'api_key' | 'supplier' | 'buyer' | 'person';
  org_id: string;
  /** Of the key, the supplier, the buyer or the person. */
  id: string;
}
