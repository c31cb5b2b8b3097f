/** What a campaign still needs before it takes live leads, and the action that mends each. Pure. */
import type { BuyerDoc, CampaignDoc, SupplierDoc } from '../store/collections.js';

export interface LinkedBuyer {
  id: string;
  name: string;
  /** Buyer and link are active. */
  active: boolean;
  test_mode: boolean;
  /** Somebody has said how leads reach it. */
  delivery_set: boolean;
  price: number;
}

export interface LinkedSupplier {
  id: string;
  name: string;
  active: boolean;
  test_mode: boolean;
  has_key: boolean;
  /** The terms say what its leads cost, if only that they cost nothing. */
  cost_set: boolean;
}

type Named = Pick<BuyerDoc | SupplierDoc, '_id' | 'name'>;

export interface CampaignFacts {
  campaign: Pick<CampaignDoc, '_id' | 'name' | 'status' | 'routing_method'> & { fields: number };
  buyers: LinkedBuyer[];
  suppliers: LinkedSupplier[];
  /** A test lead was sold. */
  tested: boolean;
  /** Any of the organisation, to be linked; null: there is none. */
  anyBuyer: Named | null;
  anySupplier: Named | null;
}

export interface Step {
  id: string;
  title: string;
  done: boolean;
  /** Without it no live lead is sold; else it is advice. */
  required: boolean;
  detail: string;
  /** What would do it; names, prices and addresses in it are examples. */
  action: { name: string; input: Record<string, unknown> } | null;
}

/** In the order in which a campaign is set up. */
export function stepsOf(facts: CampaignFacts): Step[] {
  const { campaign } = facts;
  return [
    fieldsStep(campaign),
    buyerStep(facts),
    deliveryStep(facts),
    priceStep(facts),
    supplierStep(facts),
    keyStep(facts),
    costStep(facts),
    ...(campaign.routing_method === 'DIRECT_POST' ? [] : [directStep(campaign)]),
    testStep(facts),
    activeStep(campaign),
  ];
}

/** Whether all is done that must be. */
export const isReady = (steps: readonly Step[]): boolean =>
  steps.every(({ done, required }) => done || !required);

type Campaign = CampaignFacts['campaign'];
type Mend = Step['action'];

const step = (id: string, title: string, required: boolean) => ({
  yes: (detail: string): Step => ({ id, title, required, done: true, detail, action: null }),
  no: (detail: string, action: Mend): Step => ({
    id,
    title,
    required,
    done: false,
    detail,
    action,
  }),
});

function fieldsStep({ _id, fields }: Campaign): Step {
  const { yes, no } = step('fields', 'The campaign has fields of its own', false);
  if (fields > 0) return yes(`${counted(fields, 'field')} beside those of the system.`);
  return no('It has the fields of the system only: name, phone, email, state, zip code, source.', {
    name: 'add_campaign_fields',
    input: { campaign_id: _id, fields: [{ name: 'loan_amount', type: 'Number' }] },
  });
}

const isLive = ({ active, test_mode }: { active: boolean; test_mode: boolean }): boolean =>
  active && !test_mode;

function buyerStep({ campaign, buyers, anyBuyer }: CampaignFacts): Step {
  const { yes, no } = step('buyer', 'A buyer takes its live leads', true);
  const live = buyers.filter(isLive);
  if (live.length > 0) return yes(`${namesOf(live)}.`);
  const [first] = buyers;
  const trying = buyers.find(({ active, test_mode }) => active && test_mode);
  if (trying)
    return no(`${trying.name} is in test mode, and gets test leads only.`, {
      ...{ name: 'update_buyer', input: { buyer_id: trying.id, test_mode: false } },
    });
  if (first)
    return no(`Every linked buyer, or its link, is paused: ${namesOf(buyers)}.`, {
      name: 'update_campaign_buyer',
      input: { campaign_id: campaign._id, buyer_id: first.id, status: 'active' },
    });
  if (anyBuyer)
    return no('No buyer is linked to it.', {
      name: 'add_buyer_to_campaign',
      input: { campaign_id: campaign._id, buyer_id: anyBuyer._id, price: 25 },
    });
  return no('There is no buyer yet.', { name: 'create_buyer', input: { name: 'First buyer' } });
}

function deliveryStep({ buyers }: CampaignFacts): Step {
  const { yes, no } = step('delivery', 'It is said how leads reach a buyer', true);
  const live = buyers.filter(isLive);
  const set = live.filter(({ delivery_set }) => delivery_set);
  if (set.length > 0) return yes(`${namesOf(set)}.`);
  const [first] = live.length > 0 ? live : buyers;
  if (!first) return no('There is no linked buyer to deliver to.', null);
  if (first.delivery_set) return no('No buyer takes live leads.', null);
  return no(`The leads of ${first.name} are kept here until a delivery is set.`, {
    name: 'set_buyer_delivery',
    input: { buyer_id: first.id, method: 'WEBHOOK', url: 'https://buyer.example/leads' },
  });
}

function priceStep({ campaign, buyers }: CampaignFacts): Step {
  const { yes, no } = step('price', 'Every buyer pays a price', false);
  const live = buyers.filter(isLive);
  const free = live.filter(({ price }) => price === 0);
  const [first] = free;
  if (first)
    return no(`Leads cost nothing for ${namesOf(free)}.`, {
      name: 'update_campaign_buyer',
      input: { campaign_id: campaign._id, buyer_id: first.id, price: 25 },
    });
  return live.length > 0 ? yes('Every buyer has one.') : no('No buyer takes live leads.', null);
}

function supplierStep({ campaign, suppliers, anySupplier }: CampaignFacts): Step {
  const { yes, no } = step('supplier', 'A supplier sends leads', true);
  const live = suppliers.filter(isLive);
  if (live.length > 0) return yes(`${namesOf(live)}.`);
  const [first] = suppliers;
  const trying = suppliers.find(({ active, test_mode }) => active && test_mode);
  if (trying)
    return no(`${trying.name} is in test mode: all it sends are test leads.`, {
      ...{ name: 'update_supplier', input: { supplier_id: trying.id, test_mode: false } },
    });
  if (first)
    return no(`Every linked supplier, or its link, is paused: ${namesOf(suppliers)}.`, {
      name: 'update_campaign_supplier',
      input: { campaign_id: campaign._id, supplier_id: first.id, status: 'active' },
    });
  if (anySupplier)
    return no('No supplier is linked to it.', {
      name: 'add_supplier_to_campaign',
      input: { campaign_id: campaign._id, supplier_id: anySupplier._id, cost_per_lead: 10 },
    });
  return no('There is no supplier yet.', {
    ...{ name: 'create_supplier', input: { name: 'First supplier' } },
  });
}

function keyStep({ suppliers }: CampaignFacts): Step {
  const { yes, no } = step('supplier_key', 'The supplier has a key', true);
  const live = suppliers.filter(isLive);
  if (live.some(({ has_key }) => has_key)) return yes('It sends it as x-api-key with every lead.');
  if (live.length === 0) return no('No supplier sends live leads.', null);
  return no(`${namesOf(live)} has no valid key: create a supplier anew, and link it.`, {
    ...{ name: 'create_supplier', input: { name: 'New supplier' } },
  });
}

function costStep({ campaign, suppliers }: CampaignFacts): Step {
  const { yes, no } = step('cost', 'It is said what suppliers are paid', false);
  const live = suppliers.filter(isLive);
  const open = live.filter(({ cost_set }) => !cost_set);
  const [first] = open;
  if (first)
    return no(`The terms of ${namesOf(open)} come to 0. Say NONE if leads are to cost nothing.`, {
      name: 'set_supplier_cost_mode',
      input: {
        ...{ campaign_id: campaign._id, supplier_id: first.id },
        ...{ cost_mode: 'FIXED', cost_per_lead: 10 },
      },
    });
  return live.length > 0 ? yes('The terms say it.') : no('No supplier sends live leads.', null);
}

function directStep({ _id }: Campaign): Step {
  return step('direct_post', 'Leads can be posted directly', true).no(
    'Its routing_method is PING_POST, and leads that are posted directly are refused.',
    { name: 'update_campaign', input: { campaign_id: _id, routing_method: 'DIRECT_POST' } },
  );
}

function testStep({ campaign, buyers, suppliers, tested }: CampaignFacts): Step {
  const { yes, no } = step('test_lead', 'A test lead was sold', false);
  if (tested) return yes('At least one was.');
  const [first] = buyers;
  if (!first || suppliers.length === 0) return no('It needs a buyer and a supplier first.', null);
  if (buyers.some(({ active, test_mode }) => active && test_mode))
    return no('A buyer is in test mode: send one now.', {
      ...{ name: 'send_test_lead', input: { campaign_id: campaign._id } },
    });
  return no(
    'Test leads go to buyers in test mode only: put one into it, send a test lead, and take the buyer out again.',
    { name: 'update_buyer', input: { buyer_id: first.id, test_mode: true } },
  );
}

function activeStep({ _id, status }: Campaign): Step {
  const { yes, no } = step('active', 'The campaign is ACTIVE', true);
  if (status === 'ACTIVE') return yes('It is.');
  return no(`It is ${status}, and refuses live leads.`, {
    ...{ name: 'update_campaign', input: { campaign_id: _id, status: 'ACTIVE' } },
  });
}

const SHOWN = 5;

function namesOf(records: readonly { name: string }[]): string {
  const more = records.length - SHOWN;
  const names = records.slice(0, SHOWN).map(({ name }) => name);
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
