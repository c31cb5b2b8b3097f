/** An organization with partners, and its people in browsers, who use its screens. */
import {
  openPortal,
  portalClient,
  signInMember,
  type MemberSpec,
  type PortalClient,
  type SignedInMember,
} from '../../../support/portal.js';
import {
  startTestbed,
  type Market,
  type Testbed,
  type TestbedOptions,
} from '../../../support/testbed.js';
import {
  describeOnStage,
  type Look,
  type OpenVisit,
  type Visit,
} from '../../../support/browser.js';

export interface Stage {
  bed: Testbed;
  market: Market;
  orgId: string;
  /** A signed-in member of the organization; default: an admin. */
  member(spec?: Partial<MemberSpec>): Promise<SignedInMember>;
  /** Opens a screen as that person, and waits for its heading. */
  come(who: SignedInMember, path: string, look?: Partial<Look>): Promise<Visit>;
  /** A client for the portal of the buyer `North`. */
  north(): Promise<PortalClient>;
  open: OpenVisit;
}

/** Tests with an environment of their own; `stage()` returns it once a test runs. */
export const onStage = (title: string, body: (stage: () => Stage) => void): void =>
  describeOnStage(title, (open) => buildStage(open), body);

/** Its buyers are `North` and `South`. */
export async function buildStage(
  open: OpenVisit,
  options: TestbedOptions = { role: 'api' },
): Promise<Stage> {
  const bed = await startTestbed(options);
  const market = await bed.market({ buyers: { North: {}, South: {} } });
  const { orgId, buyers } = market.account;
  return {
    bed,
    market,
    orgId,
    open,
    member: (spec = {}) =>
      signInMember(bed.collections, {
        org_id: orgId,
        scope: { kind: 'organization' },
        name: 'Olga Operator',
        ...spec,
      }),
    async come(who, path, look = {}) {
      const visit = await open({ url: bed.url, session: who.token, ...look });
      await visit.page.goto(`/org/${who.membership_id}${path}`);
      await visit.page.getByRole('heading', { level: 1 }).waitFor();
      return visit;
    },
    async north() {
      const party = { org_id: orgId, side: 'buyer', party_id: buyers.North! } as const;
      return portalClient(bed.url, await openPortal(bed.collections, party));
    },
  };
}
