import type { SignInWay } from '../types.js';

/** A session, or a sign-in that waits for its second factor. */
export interface SessionDoc {
  /** SHA-256 of the token, hex. */
  _id: string;
  /** What lists call it; begins with `ses_`. */
  id: string;
  person_id: string;
  /** The person's when it began. */
  epoch: number;
  /** It waits for the second factor, and opens nothing. */
  is_waiting?: true;
  via: SignInWay;
  oidc_org_id?: string;
  created_at: Date;
  seen_at: Date;
  fresh_at: Date;
  /** When it was idle too long or is too old, whichever comes first. */
  expires_at: Date;
  /** As `addressGroup` gives it. */
  address: string;
  user_agent: string;
  /** Memberships it gives no access to any more. */
  barred: string[];
}
