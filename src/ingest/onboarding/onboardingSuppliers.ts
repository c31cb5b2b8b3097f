/** The steps of setting up a campaign that concern its suppliers. Pure. */
import { isLive, namesOf, step, type CampaignFacts, type Step } from './onboardingFacts.js';

export function supplierStep({ campaign, suppliers, anySupplier }: CampaignFacts): Step {
  const { yes, no } = step('supplier', 'A supplier sends leads', true);
  const live = suppliers.filter(isLive);
  if (live.length > 0) return yes(`${namesOf(live)}.`);
  const [first] = suppliers;
  const trying = suppliers.find(({ active, test_mode }) => active && test_mode);
  if (trying)
    return no(`${trying.name} is in test mode: all leads it sends are test leads.`, {
      name: 'update_supplier',
      input: { supplier_id: trying.id, test_mode: false },
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
    name: 'create_supplier',
    input: { name: 'First supplier' },
  });
}

export function keyStep({ suppliers }: CampaignFacts): Step {
  const { yes, no } = step('supplier_key', 'The supplier has a key', true);
  const live = suppliers.filter(isLive);
  if (live.some(({ has_key }) => has_key)) return yes('It sends it as x-api-key with every lead.');
  if (live.length === 0) return no('No supplier sends live leads.', null);
  return no(`${namesOf(live)} has no valid key: create a new supplier, and link it.`, {
    name: 'create_supplier',
    input: { name: 'New supplier' },
  });
}

export function costStep({ campaign, suppliers }: CampaignFacts): Step {
  const { yes, no } = step('cost', 'The cost of leads is set', false);
  const live = suppliers.filter(isLive);
  const open = live.filter(({ cost_set }) => !cost_set);
  const [first] = open;
  if (first)
    return no(`The terms of ${namesOf(open)} give a cost of 0. Use NONE if leads cost nothing.`, {
      name: 'set_supplier_cost_mode',
      input: {
        campaign_id: campaign._id,
        supplier_id: first.id,
        cost_mode: 'FIXED',
        cost_per_lead: 10,
      },
    });
  return live.length > 0 ? yes('The terms set it.') : no('No supplier sends live leads.', null);
}
