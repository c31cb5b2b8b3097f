/** Who a request was found to come from, by its credential; says nothing of the credential itself. */
export interface CallerId {
  actor: 'api_key' | 'supplier' | 'buyer' | 'person';
  org_id: string;
  /** Of the key, the supplier, the buyer or the person. */
  id: string;
}
