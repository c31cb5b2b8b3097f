/** What a campaign still lacks before it accepts live leads, and the action that fixes each. Pure. */
import {
  isLive,
  namesOf,
  step,
  type Campaign,
  type CampaignFacts,
  type Step,
} from './onboardingFacts.js';
import { costStep, keyStep, supplierStep } from './onboardingSuppliers.js';

/** In the order in which a campaign is set up. */
export function stepsOf(facts: CampaignFacts): Step[] {
  const { campaign } = facts;
  return [
    fieldsStep(campaign),
    buyerStep(facts),
    deliveryStep(facts),
    campaign.routing_method === 'PING_POST' ? bidStep(facts) : priceStep(facts),
    supplierStep(facts),
    keyStep(facts),
    costStep(facts),
    testStep(facts),
    activeStep(campaign),
  ];
}

/** Whether all required steps are done. */
export const isReady = (steps: readonly Step[]): boolean =>
  steps.every(({ done, required }) => done || !required);

function fieldsStep({ _id, fields }: Campaign): Step {
  const { yes, no } = step('fields', 'The campaign has its own fields', false);
  if (fields > 0) return yes(`${counted(fields, 'field')} in addition to the system fields.`);
  return no('It has only the system fields: name, phone, email, state, zip code, source.', {
    name: 'add_campaign_fields',
    input: { campaign_id: _id, fields: [{ name: 'loan_amount', type: 'Number' }] },
  });
}

function buyerStep({ campaign, buyers, anyBuyer }: CampaignFacts): Step {
  const { yes, no } = step('buyer', 'A buyer accepts its live leads', true);
  const live = buyers.filter(isLive);
  if (live.length > 0) return yes(`${namesOf(live)}.`);
  const [first] = buyers;
  const trying = buyers.find(({ active, test_mode }) => active && test_mode);
  if (trying)
    return no(`${trying.name} is in test mode, and gets only test leads.`, {
      name: 'update_buyer',
      input: { buyer_id: trying.id, test_mode: false },
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
  const { yes, no } = step('delivery', 'The delivery of a buyer is set', true);
  const live = buyers.filter(isLive);
  const set = live.filter(({ delivery_set }) => delivery_set);
  if (set.length > 0) return yes(`${namesOf(set)}.`);
  const [first] = live.length > 0 ? live : buyers;
  if (!first) return no('There is no linked buyer to deliver to.', null);
  if (first.delivery_set) return no('No buyer accepts live leads.', null);
  return no(`The leads of ${first.name} are stored and not sent until a delivery is set.`, {
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
    return no(`The price is 0 for ${namesOf(free)}.`, {
      name: 'update_campaign_buyer',
      input: { campaign_id: campaign._id, buyer_id: first.id, price: 25 },
    });
  return live.length > 0 ? yes('Every buyer has one.') : no('No buyer accepts live leads.', null);
}

/** A buyer without a ping of its own bids its price. */
function bidStep({ campaign, buyers }: CampaignFacts): Step {
  const { yes, no } = step('bid', 'Every buyer bids: it has a price, or ping settings', false);
  const live = buyers.filter(isLive);
  const silent = live.filter(({ price, is_asked }) => price === 0 && !is_asked);
  const [first] = silent;
  if (first)
    return no(
      `${namesOf(silent)} would bid 0: set a price, or its ping settings with set_buyer_ping.`,
      {
        name: 'update_campaign_buyer',
        input: { campaign_id: campaign._id, buyer_id: first.id, price: 25 },
      },
    );
  if (live.length === 0) return no('No buyer accepts live leads.', null);
  const asked = live.filter(({ is_asked }) => is_asked);
  return yes(
    asked.length === 0 ? 'Every buyer has a price.' : `Asked for their bids: ${namesOf(asked)}.`,
  );
}

function testStep({ campaign, buyers, suppliers, tested }: CampaignFacts): Step {
  const isPinged = campaign.routing_method === 'PING_POST';
  const [id, title] = isPinged
    ? ['test_ping', 'A test ping got a bid, and a test lead was posted to it and sold']
    : ['test_lead', 'A test lead was sold'];
  const { yes, no } = step(id, title, false);
  if (tested) return yes('At least one was sold.');
  const [first] = buyers;
  if (!first || suppliers.length === 0) return no('First it needs a buyer and a supplier.', null);
  if (buyers.some(({ active, test_mode }) => active && test_mode)) {
    const now = isPinged ? 'send_test_lead pings first, and posts to it.' : 'send one now.';
    return no(`A buyer is in test mode: ${now}`, {
      name: 'send_test_lead',
      input: { campaign_id: campaign._id },
    });
  }
  return no(
    'Test leads go only to buyers in test mode: set test_mode of a buyer, send a test lead, and reset test_mode.',
    { name: 'update_buyer', input: { buyer_id: first.id, test_mode: true } },
  );
}

function activeStep({ _id, status }: Campaign): Step {
  const { yes, no } = step('active', 'The campaign is ACTIVE', true);
  if (status === 'ACTIVE') return yes('It is.');
  return no(`It is ${status}, and refuses live leads.`, {
    name: 'update_campaign',
    input: { campaign_id: _id, status: 'ACTIVE' },
  });
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
