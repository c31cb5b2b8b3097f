/** AES-256-GCM, with the id of the key it was sealed under. */
export interface SealedValue {
  key_id: string;
  iv: string;
  tag: string;
  data: string;
}
