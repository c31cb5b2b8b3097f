/** The rights of a person in a portal: by the role, the operator's settings, and how fresh the session is. */
import { AppError } from '../../lib/errors.js';
import { needsFresh } from '../actions/exits.js';
import type { PartnerCall, PartnerFile, PortalFlag } from './call.js';
import type { OpenPortal } from './open.js';

type Guarded = Pick<PartnerCall, 'side' | 'needs' | 'permits' | 'letsOut'>;

/** Why a call is refused, by the code that screens use. */
type Lack = 'admin' | 'fresh_sign_in' | PortalFlag;

const SENTENCES: Record<Lack, string> = {
  admin: 'Only admins of your team may do this.',
  fresh_sign_in: 'Confirm your sign-in first: it was more than 15 minutes ago.',
  returns: 'Returns are not open here; ask your contact.',
  change_requests: 'Requests for changes are not open here; ask your contact.',
  exports: 'Downloads are not open here; ask your contact.',
  resend: 'Sending again is not open here; ask your contact.',
  pause: 'Pausing is not open here; ask your contact.',
};

const isOpen = ({ settings }: OpenPortal, flag: PortalFlag): boolean =>
  flag === 'pause' ? settings.pause !== 'off' : settings[flag];

/** Null: it is permitted. Freshness is checked last: a person is asked to confirm only when the call would then run. */
function lackOf(guarded: Guarded, portal: OpenPortal): Lack | null {
  const { permits, needs, letsOut } = guarded;
  if (permits && !isOpen(portal, permits)) return permits;
  if (needs === 'admin' && portal.membership.role !== 'admin') return 'admin';
  return needsFresh(letsOut) && !portal.signedIn.is_fresh ? 'fresh_sign_in' : null;
}

/** @throws {AppError} `forbidden`; `required` names what is lacking */
export function requirePermitted(guarded: Guarded, portal: OpenPortal): void {
  const required = lackOf(guarded, portal);
  if (required !== null) throw new AppError('forbidden', SENTENCES[required], { required });
}

/** Whether a screen should offer it: a sign-in that has to be confirmed first does not count against it. */
export const isOffered = (guarded: Guarded | PartnerFile, portal: OpenPortal): boolean => {
  const lack = lackOf(guarded, portal);
  return isOfSide(guarded, portal) && (lack === null || lack === 'fresh_sign_in');
};

export const isOfSide = ({ side }: Pick<Guarded, 'side'>, portal: OpenPortal): boolean =>
  side === 'both' || side === portal.side;
