/** A supplier with an open portal, a campaign for leads and one for pings, and its people in browsers. */
import { accountOf } from '../../../support/org.js';
import { updateBuyer } from '../../../../src/account/buyers/buyers.js';
import { createCampaign } from '../../../../src/account/campaigns/campaigns.js';
import { linkBuyer } from '../../../../src/account/links/buyerLinks.js';
import { linkSupplier } from '../../../../src/account/links/supplierLinks.js';
import type { PartnerRole } from '../../../../src/people/types.js';
import type { PortalRules } from '../../../../src/portal/settingsSchema.js';
import {
  openPortal,
  partnerScope,
  portalClient,
  signInMember,
  type PortalClient,
  type SignedInMember,
} from '../../../support/portal.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import {
  describeOnStage,
  type Look,
  type OpenVisit,
  type Visit,
} from '../../../support/browser.js';

/** Markup in a name must appear as text on every screen. */
export const CAMPAIGN = 'Solar <b>roofs</b>';
export const PING_CAMPAIGN = 'Windows by ping';

export interface Stage {
  bed: Testbed;
  market: Market;
  supplierId: string;
  /** An admin of the supplier. */
  admin: SignedInMember;
  /** The admin's calls, without the browser. */
  calls: PortalClient;
  /** Another member of the supplier. */
  member(role: PartnerRole): Promise<SignedInMember>;
  /** Opens a screen of the portal, for the admin or another member. */
  come(screen: string, look?: Partial<Look>, member?: SignedInMember): Promise<Visit>;
  /** A browser without a session. */
  stranger(look?: Partial<Look>): Promise<Visit>;
}

/** Tests with an environment of their own; `stage()` returns it once a test runs. */
export const onStage = (
  title: string,
  rules: Partial<PortalRules>,
  body: (stage: () => Stage) => void,
): void => describeOnStage(title, (open) => build(rules, open), body);

async function build(rules: Partial<PortalRules>, open: OpenVisit): Promise<Stage> {
  const bed = await startTestbed();
  const market = await bed.market({
    timeZone: 'America/New_York',
    campaign: {
      name: CAMPAIGN,
      fields: [
        {
          name: 'roof',
          label: 'Roof',
          type: 'List of Allowed Values',
          allowed_values: ['flat', 'steep'],
          required: false,
          ping_required: false,
        },
      ],
      filters: { all: [{ field: 'state', operator: 'in', value: ['CA', 'TX'] }] },
    },
    // Test leads go only to buyers in test mode.
    buyers: { Northern: { price: 25 }, Tester: { price: 20 } },
    supplier: { cost_per_lead: 12, caps: { daily_cap: 200 } },
  });
  const { orgId, buyers, suppliers } = market.account;
  const supplierId = suppliers[0]?.id ?? '';
  await testsGoTo(bed, orgId, buyers.Tester ?? '');
  await addPingCampaign(bed, market);
  const party = { org_id: orgId, side: 'supplier', party_id: supplierId } as const;
  const admin = await openPortal(bed.collections, party, {
    pause: 'direct',
    exports: true,
    ...rules,
  });
  return {
    bed,
    market,
    supplierId,
    admin,
    calls: portalClient(bed.url, admin),
    member: (role) =>
      signInMember(bed.collections, {
        org_id: orgId,
        scope: partnerScope('supplier', supplierId),
        role,
      }),
    async come(screen, look = {}, member = admin) {
      const visit = await open({ url: bed.url, session: member.token, ...look });
      await visit.page.goto(`/portal/${member.membership_id}${screen}`);
      return visit;
    },
    stranger: (look = {}) => open({ url: bed.url, ...look }),
  };
}

async function testsGoTo(bed: Testbed, orgId: string, buyerId: string): Promise<void> {
  await updateBuyer(accountOf(bed, orgId), buyerId, { test_mode: true });
}

/** A second campaign of the same supplier and buyers. */
async function addPingCampaign({ collections }: Testbed, { account }: Market): Promise<void> {
  const { orgId, buyers, suppliers } = account;
  const campaign = await createCampaign(accountOf({ collections }, orgId), {
    name: PING_CAMPAIGN,
    status: 'ACTIVE',
    routing_method: 'PING_POST',
  });
  const ids = { org_id: orgId, campaign_id: campaign._id };
  for (const [n, buyer_id] of Object.values(buyers).entries())
    await linkBuyer(
      accountOf({ collections }, ids.org_id),
      { ...ids, buyer_id },
      { price: 20, priority: n + 1 },
    );
  await linkSupplier(
    accountOf({ collections }, ids.org_id),
    { ...ids, supplier_id: suppliers[0]?.id ?? '' },
    { cost_mode: 'REVENUE_SHARE', revenue_share: 60 },
  );
}

/** Posts one lead of each kind: sold, repeated and filtered out. */
export async function postSome({ market }: Stage): Promise<{ sold: string; filtered: string }> {
  const person = { phone: '5552013344', email: 'posted@example.com' };
  const sold = await market.post({ ...person, state: 'CA' });
  await market.post({ ...person, state: 'CA' });
  const filtered = await market.post({ state: 'NY' });
  return { sold: sold.id, filtered: String(filtered.body.lead_id) };
}
