/** The origin of a lead that its supplier did not post itself. */

/** Why a lead of a page counts as a bot's. */
export const SUSPECT_REASONS = ['honeypot', 'too_fast', 'no_proof', 'reused_proof'] as const;
export type SuspectReason = (typeof SUSPECT_REASONS)[number];

/** The page that a visitor filled in. */
export interface FunnelOrigin {
  funnel_id: string;
  version: number;
  /** Id of its consent record. */
  consent_id: string;
  /** As in the counts of the funnel: at most 60 characters. */
  source: string;
  /** It is stored, and rejected before any buyer is asked. */
  suspect?: SuspectReason;
}
