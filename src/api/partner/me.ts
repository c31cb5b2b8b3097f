/** The identity of a person in a portal. */
import type { z } from 'zod';
import type { OpenPortal } from './open.js';
import { PartnerMe } from './schemas/shared.js';

/** @param may the calls and files that screens should offer */
export function meView(
  portal: OpenPortal,
  may: { calls: string[]; files: string[] },
): z.output<typeof PartnerMe> {
  const { signedIn, membership, side, settings } = portal;
  return PartnerMe.parse({
    person: signedIn.person,
    membership: { id: membership.id, side, role: membership.role },
    is_fresh: signedIn.is_fresh,
    organization: portal.org,
    party: { id: portal.party_id, name: portal.party_name },
    settings,
    ...may,
  });
}
