import { automationUrlPlace } from '../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MailContent } from '../../src/platform/outbound/mail/content.js';
import type { ResaleOrder } from '../../src/leads/rules/resale.js';
import type { AutomationDoc } from '../../src/account/store/automationDocs.js';
import { NOW } from '../support/storedRows.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { anAutomation } from './anAutomation.js';
import { createEventFlow, type EventFlow } from './eventFlow.js';

describe('an automation', () => {
  let bed: Testbed;
  let flow: EventFlow;
  beforeAll(async () => {
    bed = await startTestbed({ role: null });
    flow = createEventFlow(bed);
  });
  afterAll(() => bed.stop());
  beforeEach(() => flow.reset());

  const told = async (
    automation: Partial<AutomationDoc>,
    given: Partial<EventFlow['deps']> = {},
  ) => {
    await bed.collections.automations.insertOne(anAutomation({ _id: 'a', ...automation }));
    const sale = { buyer_id: 'had-it', attempt: 1, price: 1, cost: 0, at: NOW };
    await flow.insertLeads(['lead-0'], 'lead.accepted', 1, {
      fields: { email: 'jane@example.com', note: '<b>' },
      sales: [sale],
    });
    await flow.relay(['lead-0']);
    await flow.drain('a', { ...flow.deps, ...given });
    const { state, reason } = (await bed.collections.eventDeliveries.findOne()) ?? {};
    return { state, reason };
  };

  it('posts to Slack, without personal data', async () => {
    const url = bed.keyring.seal(`${bed.buyers.url}/slack`, automationUrlPlace('a'));
    expect(await told({ action: 'SLACK', target: { url } })).toMatchObject({ state: 'delivered' });
    const text = String(bed.buyers.requests.at(-1)?.body.text);
    expect(text).toMatch(/^\*lead\.accepted: lead_id lead-0\*\n/);
    expect(text).toContain('status: ACCEPTED');
    expect(text).not.toContain('jane@example.com');
  });

  it('sends a mail with all data, once per id', async () => {
    const sent: MailContent[] = [];
    const mail = {
      send: ({ content }: { content: MailContent }) => {
        sent.push(content);
        return Promise.resolve({ kind: 'taken' as const, response: '250 ok', refused: [] });
      },
      close: () => Promise.resolve(),
    };
    const result = await told({ action: 'EMAIL', target: { to: ['ops@example.com'] } }, { mail });
    expect(result).toMatchObject({ state: 'delivered' });
    expect(sent).toMatchObject([
      {
        to: ['ops@example.com'],
        subject: 'lead.accepted: lead_id lead-0',
        text: expect.stringContaining('email: jane@example.com\n'),
        messageName: 'a.evt_lead-0_1',
      },
    ]);
  });

  it.each([
    [
      { unconfirmed: () => Promise.resolve(['ops@example.com']) },
      /^ops@example.com has not confirmed/,
    ],
    [
      { draw: () => Promise.resolve({ allowed: false as const, retryAfterMs: 60_000 }) },
      /^the organization has sent as many mails as it may/,
    ],
  ])('delays a mail that may not be sent yet, and stays healthy', async (shut, why) => {
    const mail = { send: () => Promise.reject(new Error('sent')), close: () => Promise.resolve() };
    const mailGate = { ...flow.deps.mailGate, ...shut };
    const target = { to: ['ops@example.com'], checked: true as const };
    expect(await told({ action: 'EMAIL', target }, { mail, mailGate })).toEqual({
      state: 'waiting',
      reason: expect.stringMatching(why),
    });
    expect(await bed.collections.automations.findOne()).not.toHaveProperty('failing_since');
    expect((await bed.collections.destinations.findOne())?.failures ?? 0).toBe(0);
  });

  it('retries a mail when the installation has no mail server yet', async () => {
    expect(await told({ action: 'EMAIL', target: { to: ['ops@example.com'] } })).toEqual({
      state: 'waiting',
      reason: 'SMTP_URL is not set in this installation',
    });
  });

  it('resells the lead in another campaign, once per id', async () => {
    const orders: ResaleOrder[] = [];
    const redistribute = (order: ResaleOrder) => {
      orders.push(order);
      return Promise.resolve({ lead_id: 'new' });
    };
    const automation = { action: 'REDISTRIBUTE', target: { campaign_id: 'second' } } as const;
    expect(await told(automation, { redistribute })).toMatchObject({ state: 'delivered' });
    expect(orders).toMatchObject([
      {
        id: 'a:evt_lead-0_1',
        campaign_id: 'second',
        lead: { _id: 'lead-0', trail: [] },
      },
    ]);
  });

  it('does not count as failing any more when the event that failed is refused for good', async () => {
    const failing = { redistribute: () => Promise.reject(new Error('no connection')) };
    const automation = { action: 'REDISTRIBUTE', target: { campaign_id: 'second' } } as const;
    expect(await told(automation, failing)).toMatchObject({ state: 'waiting' });
    expect(await bed.collections.automations.findOne()).toHaveProperty('failing_since');
    await flow.endWaits();
    const refusing = { redistribute: () => Promise.resolve({ refused: 'it is archived' }) };
    await flow.drain('a', { ...flow.deps, ...refusing });
    expect(await bed.collections.eventDeliveries.findOne()).toMatchObject({ state: 'parked' });
    // A failure after days would otherwise disable it at once.
    expect(await bed.collections.automations.findOne()).not.toHaveProperty('failing_since');
  });

  it('parks a refused resale, and stays healthy', async () => {
    const redistribute = () => Promise.resolve({ refused: 'the campaign is archived' });
    const automation = { action: 'REDISTRIBUTE', target: { campaign_id: 'second' } } as const;
    expect(await told(automation, { redistribute })).toEqual({
      state: 'parked',
      reason: 'the campaign is archived',
    });
    expect(await bed.collections.automations.findOne()).not.toHaveProperty('failing_since');
  });

  it('waits, and stays healthy, while the data of the lead are still being sold', async () => {
    const redistribute = () => Promise.resolve({ busy: 'it is still being sold' });
    const automation = { action: 'REDISTRIBUTE', target: { campaign_id: 'second' } } as const;
    expect(await told(automation, { redistribute })).toEqual({
      state: 'waiting',
      reason: 'it is still being sold',
    });
    expect(await bed.collections.automations.findOne()).not.toHaveProperty('failing_since');
  });
});
