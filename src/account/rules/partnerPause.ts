/** Who paused a partner, or one of its links: only the operator resumes what the operator has paused. */
import { AppError } from '../../lib/errors.js';

export type PartnerStatus = 'active' | 'paused';

export interface Pausable {
  status: PartnerStatus;
  /** Absent or null: the operator, if it is paused at all. */
  paused_by?: 'partner' | null;
}

/** The fields that are set when a partner pauses or resumes itself. */
export const statusByPartner = (status: PartnerStatus): Pausable =>
  status === 'paused' ? { status, paused_by: 'partner' } : { status, paused_by: null };

export const PAUSE_CONFLICT =
  'Another person paused or resumed it at the same time. Check its status and try again.';

/** The values that a compare-and-set expects: null also matches a record that never had `paused_by`. */
export const pauseSeen = ({ status, paused_by = null }: Pausable): Pausable => ({
  status,
  paused_by,
});

/** Whether the status would change. @throws {AppError} `conflict` where the operator has paused it */
export function isToChange(current: Pausable, status: PartnerStatus): boolean {
  if (current.status === status) return false;
  if (status === 'active' && !isPausedByPartner(current))
    throw new AppError('conflict', 'It was paused by your contact, who can resume it.');
  return true;
}

/** Whether its partner has paused it, and so may resume it. */
export const isPausedByPartner = ({ status, paused_by }: Pausable): boolean =>
  status === 'paused' && paused_by === 'partner';
