/** An organization with partners, and its people, who use its screens. */
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import {
  openPortal,
  portalClient,
  signInMember,
  type MemberSpec,
  type PortalClient,
  type SignedInMember,
} from '../../support/portal.js';
import type { Look, OpenVisit, Visit } from './browser.js';

export interface OrgBed {
  bed: Testbed;
  market: Market;
  orgId: string;
  /** A signed-in member of the organization; default: an admin. */
  member(spec?: Partial<MemberSpec>): Promise<SignedInMember>;
  /** Opens a screen as that person, and waits for its heading. */
  visit(
    open: OpenVisit,
    who: SignedInMember,
    path: string,
    look?: Omit<Look, 'url' | 'session'>,
  ): Promise<Visit>;
  /** A client for the portal of the buyer `North`. */
  north(): Promise<PortalClient>;
  stop(): Promise<void>;
}

/** Its buyers are `North` and `South`. */
export async function startOrgBed(): Promise<OrgBed> {
  const bed = await startTestbed({ role: 'api' });
  const market = await bed.market({ buyers: { North: {}, South: {} } });
  const { orgId, buyers } = market.account;
  return {
    bed,
    market,
    orgId,
    member: (spec = {}) =>
      signInMember(bed.collections, {
        org_id: orgId,
        scope: { kind: 'organization' },
        name: 'Olga Operator',
        ...spec,
      }),
    async visit(open, who, path, look = {}) {
      const visit = await open({ url: bed.url, session: who.token, ...look });
      await visit.page.goto(`/org/${who.membership_id}${path}`);
      await visit.page.getByRole('heading', { level: 1 }).waitFor();
      return visit;
    },
    async north() {
      const party = { org_id: orgId, side: 'buyer', party_id: buyers.North! } as const;
      return portalClient(bed.url, await openPortal(bed.collections, party));
    },
    stop: () => bed.stop(),
  };
}
