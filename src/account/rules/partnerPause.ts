/** Who paused a partner, or one of its links: what its operator has paused only the operator resumes. */
import { AppError } from '../../lib/errors.js';

export type PartnerStatus = 'active' | 'paused';

export interface Pausable {
  status: PartnerStatus;
  /** Absent or null: the operator, where it is paused. */
  paused_by?: 'partner' | null;
}

/** What a partner's own word sets. */
export const statusByPartner = (status: PartnerStatus): Pausable =>
  status === 'paused' ? { status, paused_by: 'partner' } : { status, paused_by: null };

export const PAUSE_CONFLICT =
  'It was paused or resumed by somebody else at the same time. Look at it and try again.';

/** What a compare-and-set compares with: null is of one, too, that never had any. */
export const pauseSeen = ({ status, paused_by = null }: Pausable): Pausable => ({
  status,
  paused_by,
});

/** Whether anything is to change. @throws {AppError} `conflict` where the operator has paused it */
export function isToChange(current: Pausable, status: PartnerStatus): boolean {
  if (current.status === status) return false;
  if (status === 'active' && !isPausedByPartner(current))
    throw new AppError('conflict', 'It was paused by your contact, who can resume it.');
  return true;
}

/** Whether its partner has paused it, and so can resume it. */
export const isPausedByPartner = ({ status, paused_by }: Pausable): boolean =>
  status === 'paused' && paused_by === 'partner';
