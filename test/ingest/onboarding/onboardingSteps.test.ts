import { describe, expect, it } from '@jest/globals';
import {
  isReady,
  stepsOf,
  type CampaignFacts,
} from '../../../src/ingest/onboarding/onboardingSteps.js';
import { readInput } from '../../../src/api/actions/readInput.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';

const campaign = {
  _id: 'c1',
  name: 'Auto',
  status: 'ACTIVE' as const,
  fields: 1,
  routing_method: 'DIRECT_POST' as const,
};
const pinged = { ...campaign, routing_method: 'PING_POST' as const };
const buyer = {
  id: 'b1',
  name: 'Acme',
  active: true,
  test_mode: false,
  delivery_set: true,
  price: 1,
  is_asked: false,
};
const supplier = {
  id: 's1',
  name: 'Search',
  active: true,
  test_mode: false,
  has_key: true,
  cost_set: true,
};
const facts = (change: Partial<CampaignFacts> = {}): CampaignFacts => ({
  campaign,
  buyers: [buyer],
  suppliers: [supplier],
  tested: true,
  anyBuyer: null,
  anySupplier: null,
  ...change,
});
const open = (change: Partial<CampaignFacts>) => stepsOf(facts(change)).filter(({ done }) => !done);
/** The text of the only open step. */
const only = (change: Partial<CampaignFacts>) => {
  const [step, ...others] = open(change);
  return [others, step?.id, step?.detail, step?.action?.name];
};

describe('the steps of setting up a campaign', () => {
  it('are all done when everything is set up', () => {
    expect(open({})).toEqual([]);
    expect(isReady(stepsOf(facts()))).toBe(true);
  });

  it('begin with a buyer and a supplier, and end with the campaign itself', () => {
    const paused = { ...campaign, status: 'PAUSED' as const, fields: 0 };
    const steps = stepsOf(facts({ campaign: paused, buyers: [], suppliers: [], tested: false }));
    expect(steps.map(({ id, done }) => [id, done])).toEqual([
      ['fields', false],
      ['buyer', false],
      ['delivery', false],
      ['price', false],
      ['supplier', false],
      ['supplier_key', false],
      ['cost', false],
      ['test_lead', false],
      ['active', false],
    ]);
    expect(steps.map(({ action }) => action?.name)).toEqual([
      'add_campaign_fields',
      'create_buyer',
      undefined,
      undefined,
      'create_supplier',
      undefined,
      undefined,
      undefined,
      'update_campaign',
    ]);
  });

  it.each([
    ['price', 'The price is 0 for Acme.', { buyers: [{ ...buyer, price: 0 }] }],
    ['delivery', 'The leads of Acme are stored', { buyers: [{ ...buyer, delivery_set: false }] }],
    [
      'cost',
      'The terms of Search give a cost of 0.',
      { suppliers: [{ ...supplier, cost_set: false }] },
    ],
    ['supplier_key', 'Search has no valid key', { suppliers: [{ ...supplier, has_key: false }] }],
    ['active', 'It is ARCHIVED', { campaign: { ...campaign, status: 'ARCHIVED' as const } }],
    ['bid', 'Acme would bid 0', { campaign: pinged, buyers: [{ ...buyer, price: 0 }] }],
    ['test_ping', 'set test_mode of a buyer', { campaign: pinged, tested: false }],
    ['test_lead', 'set test_mode of a buyer', { tested: false }],
  ] as const)('says what is wrong with %s', (id, detail, change) => {
    const [step, ...others] = open(change as Partial<CampaignFacts>);
    expect([step?.id, others]).toEqual([id, []]);
    expect(step?.detail).toContain(detail);
    expect(step?.action).not.toBeNull();
  });

  it('needs a buyer that is active, and out of test mode', () => {
    const trying = open({ buyers: [{ ...buyer, test_mode: true }] });
    expect(trying[0]).toMatchObject({
      id: 'buyer',
      action: { name: 'update_buyer', input: { test_mode: false } },
    });
    const paused = open({ buyers: [{ ...buyer, active: false }] });
    expect(paused[0]).toMatchObject({ id: 'buyer', action: { name: 'update_campaign_buyer' } });
    expect(open({ buyers: [], anyBuyer: { _id: 'b2', name: 'B' } })[0]).toMatchObject({
      action: { name: 'add_buyer_to_campaign', input: { buyer_id: 'b2' } },
    });
  });

  it('needs a supplier that is active, and out of test mode', () => {
    const suppliers = [{ ...supplier, test_mode: true }];
    expect(open({ suppliers })[0]).toMatchObject({
      id: 'supplier',
      action: { name: 'update_supplier', input: { test_mode: false } },
    });
    expect(open({ suppliers: [{ ...supplier, active: false }] })[0]).toMatchObject({
      id: 'supplier',
      action: { name: 'update_campaign_supplier' },
    });
    expect(open({ suppliers: [], anySupplier: { _id: 's2', name: 'S' } })[0]).toMatchObject({
      action: { name: 'add_supplier_to_campaign', input: { supplier_id: 's2' } },
    });
  });

  it('is ready without the steps that are only advice', () => {
    const free = facts({
      campaign: { ...campaign, fields: 0 },
      tested: false,
      buyers: [{ ...buyer, price: 0 }],
      suppliers: [{ ...supplier, cost_set: false }],
    });
    expect(stepsOf(free).filter(({ done }) => !done)).toHaveLength(4);
    expect(isReady(stepsOf(free))).toBe(true);
  });

  it('is done in ping-post with a price, or with ping settings instead', () => {
    const asked = { ...buyer, price: 0, is_asked: true };
    for (const buyers of [[buyer], [asked], [buyer, asked]])
      expect(open({ campaign: pinged, buyers })).toEqual([]);
    const trying = [buyer, { ...buyer, id: 'b2', test_mode: true }];
    expect(only({ campaign: pinged, buyers: trying, tested: false })).toEqual([
      [],
      'test_ping',
      expect.stringContaining('pings first'),
      'send_test_lead',
    ]);
  });

  it('asks for a test lead once a buyer is in test mode', () => {
    const buyers = [buyer, { ...buyer, id: 'b2', name: 'Try', test_mode: true }];
    expect(only({ buyers, tested: false })).toEqual([
      [],
      'test_lead',
      'A buyer is in test mode: send one now.',
      'send_test_lead',
    ]);
  });

  it('suggests only valid inputs of its actions', () => {
    const b = { ...buyer, price: 0 };
    const s = { ...supplier, cost_set: false };
    const off = { active: false };
    const trial = { test_mode: true };
    const situations: Partial<CampaignFacts>[] = [
      { campaign: pinged, buyers: [b] },
      { buyers: [], suppliers: [] },
      { buyers: [], anyBuyer: { _id: 'b', name: 'B' }, anySupplier: { _id: 's', name: 'S' } },
      { suppliers: [], anySupplier: { _id: 's', name: 'S' }, tested: false },
      { buyers: [b], suppliers: [s], tested: false },
      { buyers: [{ ...b, ...off }], suppliers: [{ ...s, ...off }], tested: false },
      { buyers: [{ ...b, ...trial }], suppliers: [{ ...s, ...trial }], tested: false },
      { buyers: [{ ...b, delivery_set: false }], suppliers: [{ ...s, has_key: false }] },
      { campaign: { ...campaign, status: 'PAUSED', routing_method: 'PING_POST', fields: 0 } },
    ];
    const suggested = situations.flatMap((one) => open(one).flatMap(({ action }) => action ?? []));
    expect(new Set(suggested.map(({ name }) => name)).size).toBe(13);
    for (const { name, input } of suggested) {
      const action = REGISTRY.find((one) => one.name === name);
      const read = action ? readInput(action.input, input) : `no action is called ${name}`;
      expect(read).toMatchObject(input);
    }
  });
});
