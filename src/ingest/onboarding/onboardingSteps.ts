/** What a campaign still lacks before it accepts live leads, and the action that fixes each. Pure. */
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import type { BuyerDoc, SupplierDoc } from '../../account/store/accountDocs.js';

interface LinkedPartner {
  id: string;
  name: string;
  /** Partner and link are active. */
  active: boolean;
  test_mode: boolean;
}

interface LinkedBuyer extends LinkedPartner {
  /** A delivery has been set. */
  delivery_set: boolean;
  price: number;
  /** It has ping settings: a ping-post campaign asks it for a bid. */
  is_asked: boolean;
}

interface LinkedSupplier extends LinkedPartner {
  has_key: boolean;
  /** The terms set the cost of its leads, even if it is zero. */
  cost_set: boolean;
}

type Named = Pick<BuyerDoc | SupplierDoc, '_id' | 'name'>;

type Campaign = Pick<CampaignDoc, '_id' | 'name' | 'status' | 'routing_method'> & {
  fields: number;
};

export interface CampaignFacts {
  campaign: Campaign;
  buyers: LinkedBuyer[];
  suppliers: LinkedSupplier[];
  /** A test lead was sold. */
  tested: boolean;
  /** Any buyer of the organization that could be linked; null: there is none. */
  anyBuyer: Named | null;
  anySupplier: Named | null;
}

export interface Step {
  id: string;
  title: string;
  done: boolean;
  /** Without it no live lead is sold; false: it is advice. */
  required: boolean;
  detail: string;
  /** The action that completes it; names, prices and addresses in it are examples. */
  action: { name: string; input: Record<string, unknown> } | null;
}

/** In the order in which a campaign is set up. */
export function stepsOf(facts: CampaignFacts): Step[] {
  const { campaign, buyers, suppliers } = facts;
  return [
    fieldsStep(campaign),
    partnerStep('buyer', campaign, buyers, facts.anyBuyer),
    deliveryStep(facts),
    campaign.routing_method === 'PING_POST' ? bidStep(facts) : priceStep(facts),
    partnerStep('supplier', campaign, suppliers, facts.anySupplier),
    keyStep(facts),
    costStep(facts),
    testStep(facts),
    activeStep(campaign),
  ];
}

/** Whether all required steps are done. */
export const isReady = (steps: readonly Step[]): boolean =>
  steps.every(({ done, required }) => done || !required);

const step = (id: string, title: string, required: boolean) => ({
  yes: (detail: string): Step => ({ id, title, required, done: true, detail, action: null }),
  /** @param name the action that completes it; none where another step comes first */
  no: (detail: string, name?: string, input: Record<string, unknown> = {}): Step => {
    const action = name === undefined ? null : { name, input };
    return { id, title, required, done: false, detail, action };
  },
});

const isLive = ({ active, test_mode }: LinkedPartner): boolean => active && !test_mode;
const isTrying = ({ active, test_mode }: LinkedPartner): boolean => active && test_mode;

const SHOWN_MAX = 5;

function namesOf(partners: readonly LinkedPartner[]): string {
  const more = partners.length - SHOWN_MAX;
  const names = partners.slice(0, SHOWN_MAX).map(({ name }) => name);
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function fieldsStep({ _id, fields }: Campaign): Step {
  const { yes, no } = step('fields', 'The campaign has its own fields', false);
  if (fields > 0)
    return yes(`${fields} field${fields === 1 ? '' : 's'} in addition to the system fields.`);
  return no(
    'It has only the system fields: name, phone, email, state, zip code, source.',
    'add_campaign_fields',
    { campaign_id: _id, fields: [{ name: 'loan_amount', type: 'Number' }] },
  );
}

const PARTNERS = {
  buyer: {
    title: 'A buyer accepts its live leads',
    testMode: 'is in test mode, and gets only test leads',
    terms: { price: 25 },
  },
  supplier: {
    title: 'A supplier sends leads',
    testMode: 'is in test mode: all leads it sends are test leads',
    terms: { cost_per_lead: 10 },
  },
};

function partnerStep(
  side: keyof typeof PARTNERS,
  { _id: campaign_id }: Campaign,
  linked: readonly LinkedPartner[],
  other: Named | null,
): Step {
  const { title, testMode, terms } = PARTNERS[side];
  const { yes, no } = step(side, title, true);
  const live = linked.filter(isLive);
  if (live.length > 0) return yes(`${namesOf(live)}.`);
  const idOf = (id: string) => ({ [`${side}_id`]: id });
  const [first] = linked;
  const trying = linked.find(isTrying);
  if (trying)
    return no(`${trying.name} ${testMode}.`, `update_${side}`, {
      ...idOf(trying.id),
      test_mode: false,
    });
  if (first) {
    const detail = `Every linked ${side}, or its link, is paused: ${namesOf(linked)}.`;
    const input = { campaign_id, ...idOf(first.id), status: 'active' };
    return no(detail, `update_campaign_${side}`, input);
  }
  if (other) {
    const input = { campaign_id, ...idOf(other._id), ...terms };
    return no(`No ${side} is linked to it.`, `add_${side}_to_campaign`, input);
  }
  return no(`There is no ${side} yet.`, `create_${side}`, { name: `First ${side}` });
}

function deliveryStep({ buyers }: CampaignFacts): Step {
  const { yes, no } = step('delivery', 'The delivery of a buyer is set', true);
  const live = buyers.filter(isLive);
  const set = live.filter(({ delivery_set }) => delivery_set);
  if (set.length > 0) return yes(`${namesOf(set)}.`);
  const [first] = live.length > 0 ? live : buyers;
  if (!first) return no('There is no linked buyer to deliver to.');
  if (first.delivery_set) return no('No buyer accepts live leads.');
  return no(
    `The leads of ${first.name} are stored and not sent until a delivery is set.`,
    'set_buyer_delivery',
    { buyer_id: first.id, method: 'WEBHOOK', url: 'https://buyer.example/leads' },
  );
}

function priceStep({ campaign, buyers }: CampaignFacts): Step {
  const { yes, no } = step('price', 'Every buyer pays a price', false);
  const live = buyers.filter(isLive);
  const free = live.filter(({ price }) => price === 0);
  if (free[0]) return no(`The price is 0 for ${namesOf(free)}.`, ...setPrice(campaign, free[0]));
  return live.length > 0 ? yes('Every buyer has one.') : no('No buyer accepts live leads.');
}

const setPrice = ({ _id: campaign_id }: Campaign, { id: buyer_id }: LinkedBuyer) =>
  ['update_campaign_buyer', { campaign_id, buyer_id, price: 25 }] as const;

/** A buyer without ping settings bids its price. */
function bidStep({ campaign, buyers }: CampaignFacts): Step {
  const { yes, no } = step('bid', 'Every buyer bids: it has a price, or ping settings', false);
  const live = buyers.filter(isLive);
  const silent = live.filter(({ price, is_asked }) => price === 0 && !is_asked);
  if (silent[0]) {
    const detail = `${namesOf(silent)} would bid 0: set a price, or its ping settings with set_buyer_ping.`;
    return no(detail, ...setPrice(campaign, silent[0]));
  }
  if (live.length === 0) return no('No buyer accepts live leads.');
  const asked = live.filter(({ is_asked }) => is_asked);
  return yes(
    asked.length === 0 ? 'Every buyer has a price.' : `Asked for their bids: ${namesOf(asked)}.`,
  );
}

function keyStep({ suppliers }: CampaignFacts): Step {
  const { yes, no } = step('supplier_key', 'The supplier has a key', true);
  const live = suppliers.filter(isLive);
  if (live.some(({ has_key }) => has_key)) return yes('It sends it as x-api-key with every lead.');
  if (live.length === 0) return no('No supplier sends live leads.');
  const detail = `${namesOf(live)} has no valid key: create a new supplier, and link it.`;
  return no(detail, 'create_supplier', { name: 'New supplier' });
}

function costStep({ campaign, suppliers }: CampaignFacts): Step {
  const { yes, no } = step('cost', 'The cost of leads is set', false);
  const live = suppliers.filter(isLive);
  const open = live.filter(({ cost_set }) => !cost_set);
  if (open[0]) {
    const detail = `The terms of ${namesOf(open)} give a cost of 0. Use NONE if leads cost nothing.`;
    const link = { campaign_id: campaign._id, supplier_id: open[0].id };
    return no(detail, 'set_supplier_cost_mode', { ...link, cost_mode: 'FIXED', cost_per_lead: 10 });
  }
  return live.length > 0 ? yes('The terms set it.') : no('No supplier sends live leads.');
}

function testStep({ campaign, buyers, suppliers, tested }: CampaignFacts): Step {
  const isPinged = campaign.routing_method === 'PING_POST';
  const { yes, no } = isPinged
    ? step('test_ping', 'A test ping got a bid, and a test lead was posted to it and sold', false)
    : step('test_lead', 'A test lead was sold', false);
  if (tested) return yes('At least one was sold.');
  const [first] = buyers;
  if (!first || suppliers.length === 0) return no('First it needs a buyer and a supplier.');
  if (buyers.some(isTrying)) {
    const now = isPinged ? 'send_test_lead pings first, and posts to it.' : 'send one now.';
    const detail = `A buyer is in test mode: ${now}`;
    return no(detail, 'send_test_lead', { campaign_id: campaign._id });
  }
  return no(
    'Test leads go only to buyers in test mode: set test_mode of a buyer, send a test lead, and reset test_mode.',
    'update_buyer',
    { buyer_id: first.id, test_mode: true },
  );
}

function activeStep({ _id, status }: Campaign): Step {
  const { yes, no } = step('active', 'The campaign is ACTIVE', true);
  if (status === 'ACTIVE') return yes('It is.');
  const detail = `It is ${status}, and refuses live leads.`;
  return no(detail, 'update_campaign', { campaign_id: _id, status: 'ACTIVE' });
}
