/** A buyer with an open portal, the leads that it bought, and its people in browsers. */
import {
  openPortal,
  partnerScope,
  portalClient,
  signInMember,
  type PortalClient,
  type SignedInMember,
} from '../../../support/portal.js';
import type { BuyerSpec } from '../../../support/market.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import {
  describeOnStage,
  type Look,
  type OpenVisit,
  type Visit,
} from '../../../support/browser.js';

export const CAMPAIGN = 'Solar <b>roofs</b>';
/** It is part of the delivery URL, too. */
export const BUYER = 'Northern';

export interface Stage {
  bed: Testbed;
  market: Market;
  orgId: string;
  buyerId: string;
  campaignId: string;
  /** An admin of the buyer. */
  admin: SignedInMember;
  /** The admin's calls, without the browser. */
  calls: PortalClient;
  /** Sells the buyer a lead with these fields. @returns its id */
  sell(fields?: Record<string, unknown>): Promise<string>;
  /** Replaces a lead's fields: with values that intake would refuse, or none, as after an erasure. */
  rewrite(leadId: string, fields: Record<string, string>): Promise<void>;
  /** Another member of the buyer. */
  member(role: 'admin' | 'viewer'): Promise<SignedInMember>;
  /** A browser without a session. */
  stranger(look?: Partial<Look>): Promise<Visit>;
  /** Opens a screen of the portal, for the admin or another member. */
  come(screen: string, look?: Partial<Look>, member?: SignedInMember): Promise<Visit>;
}

export interface StageSpec {
  buyer?: BuyerSpec;
  rules?: Parameters<typeof openPortal>[2];
  /** Leads sold before the first test. */
  leads?: number;
}

/** Tests with an environment of their own; `stage()` returns it once a test runs. */
export const onStage = (title: string, spec: StageSpec, body: (stage: () => Stage) => void): void =>
  describeOnStage(title, (open) => build(spec, open), body);

async function build({ buyer = {}, rules, leads = 0 }: StageSpec, open: OpenVisit): Promise<Stage> {
  const bed = await startTestbed();
  const market = await bed.market({
    timeZone: 'America/New_York',
    campaign: {
      name: CAMPAIGN,
      fields: [
        {
          name: 'comment',
          label: 'Comment',
          type: 'String',
          required: false,
          ping_required: false,
        },
      ],
    },
    buyers: { [BUYER]: { price: 25, caps: { daily_cap: 200, monthly_budget: 50_000 }, ...buyer } },
  });
  const { orgId, campaignId, buyers } = market.account;
  const buyerId = buyers[BUYER] ?? '';
  const party = { org_id: orgId, side: 'buyer', party_id: buyerId } as const;
  const admin = await openPortal(bed.collections, party, { pause: 'direct', ...rules });

  const sell = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const { data } = await market.supplier.postUntilTaken(fields);
    return (await market.becomes(data?.id, 'ACCEPTED'))._id;
  };
  await Promise.all(Array.from({ length: leads }, () => sell()));
  return {
    bed,
    market,
    orgId,
    buyerId,
    campaignId,
    admin,
    calls: portalClient(bed.url, admin),
    sell,
    async rewrite(leadId, fields) {
      await bed.collections.leads.updateOne({ _id: leadId }, { $set: { fields } });
    },
    stranger: (look = {}) => open({ url: bed.url, ...look }),
    member: (role) =>
      signInMember(bed.collections, { org_id: orgId, scope: partnerScope('buyer', buyerId), role }),
    async come(screen, look = {}, member = admin) {
      const visit = await open({ url: bed.url, session: member.token, ...look });
      await visit.page.goto(`/portal/${member.membership_id}${screen}`);
      return visit;
    },
  };
}
