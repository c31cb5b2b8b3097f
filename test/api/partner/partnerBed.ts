/** A buyer and its rival, which bought the same leads, and their supplier: each with an open portal and an admin. */
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import type { PortalRules } from '../../../src/portal/settingsSchema.js';
import {
  openPortal,
  portalClient,
  type PortalClient,
  type SignedInMember,
} from '../../support/portal.js';
import type { BuyerAnswer } from '../../support/market.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';

/** Values that only their own side may read; tests search for each in every byte of an answer. */
export const MARKERS = {
  cost: 3.1417,
  price: 55.5511,
  rivalPrice: 77.7713,
  hiddenValue: 'MRK-hidden-value',
  hiddenPhone: '2125550147',
  rivalNote: 'MRK-rival-note',
  rivalAnswer: 'MRK-rival-answer',
  rivalName: 'MRK-rival-name',
  supplierName: 'MRK-supplier-name',
} as const;

const HIDDEN_FIELD: FieldRule = {
  name: 'secret_income',
  label: 'MRK-hidden-label',
  type: 'String',
  required: false,
  ping_required: false,
};

/** The portals of these tests hide a lead's phone, zip code and income. */
export const SHOWN: Partial<PortalRules> = {
  fields: ['first_name', 'last_name', 'email', 'state'],
  pause: 'direct',
};

export interface PartnerBed {
  testbed: Testbed;
  market: Market;
  ids: { org: string; campaign: string; mine: string; rival: string; supplier: string };
  /** Sold to both buyers. */
  leadId: string;
  /** Refused by the buyer, and sold only to its rival. */
  rivalLeadId: string;
  members: { buyer: SignedInMember; rival: SignedInMember; supplier: SignedInMember };
  clients: { buyer: PortalClient; rival: PortalClient; supplier: PortalClient };
  stop(): Promise<void>;
}

/** Repeats hidden values of its request in the answer. */
const echoed: BuyerAnswer = ({ body }) => ({
  status: 200,
  body: JSON.stringify({ phone: body.phone, income: body.secret_income, id: body.lead_id }),
});

/** @param rules of every portal, in addition to `SHOWN` */
export async function startPartnerBed(rules: Partial<PortalRules> = {}): Promise<PartnerBed> {
  const testbed = await startTestbed();
  const { collections } = testbed;
  const market = await testbed.market({
    campaign: { max_sells: 2, fields: [HIDDEN_FIELD] },
    supplier: { cost_per_lead: MARKERS.cost },
    buyers: {
      mine: {
        price: MARKERS.price,
        caps: { daily_cap: 100, daily_budget: 50_000 },
        answer: echoed,
      },
      [MARKERS.rivalName]: {
        price: MARKERS.rivalPrice,
        answer: () => ({ status: 200, body: `{"id":"${MARKERS.rivalAnswer}"}` }),
      },
    },
  });
  const { orgId: org, campaignId: campaign, buyers, suppliers } = market.account;
  const mine = buyers.mine ?? '';
  const rival = buyers[MARKERS.rivalName] ?? '';
  const supplier = suppliers[0]?.id ?? '';
  await collections.suppliers.updateOne(
    { _id: supplier },
    { $set: { name: MARKERS.supplierName } },
  );
  const post = async (fields: Record<string, unknown>) => (await market.post(fields)).id;
  const leadId = await post({
    phone: MARKERS.hiddenPhone,
    email: 'shown@example.com',
    secret_income: MARKERS.hiddenValue,
  });
  await testbed.becomes(leadId, 'ACCEPTED');
  market.behave('mine', () => ({ status: 400, body: 'no' }));
  const rivalLeadId = await post({ phone: '2125550148', email: 'rival-only@example.com' });
  await testbed.becomes(rivalLeadId, 'ACCEPTED');
  market.behave('mine', echoed);
  const open = (side: 'buyer' | 'supplier', party_id: string) =>
    openPortal(collections, { org_id: org, side, party_id }, { ...SHOWN, ...rules });
  const members = {
    buyer: await open('buyer', mine),
    rival: await open('buyer', rival),
    supplier: await open('supplier', supplier),
  };
  const of = (member: SignedInMember) => portalClient(testbed.url, member);
  const clients = {
    buyer: of(members.buyer),
    rival: of(members.rival),
    supplier: of(members.supplier),
  };
  const said = await clients.rival.call('record_outcome', {
    lead_id: leadId,
    outcome: 'not_qualified',
    note: MARKERS.rivalNote,
  });
  if (said.status !== 200) throw new Error(`The rival's outcome was refused: ${said.text}`);
  return {
    testbed,
    market,
    ids: { org, campaign, mine, rival, supplier },
    leadId,
    rivalLeadId,
    members,
    clients,
    stop: () => testbed.stop(),
  };
}
