import {
  automationHeadersPlace,
  automationSecretPlace,
} from '../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newEventDelivery } from '../../src/automations/fanOut.js';
import { resendEvents } from '../../src/automations/resend.js';
import { updateAutomation } from '../../src/automations/automations.js';
import {
  findSupplierWebhook,
  rotateSupplierWebhookSecret,
  setSupplierWebhook,
} from '../../src/automations/supplierWebhook.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { isSigned } from '../../src/platform/security/signatures.js';
import { buyerAlias } from '../../src/platform/security/buyerAlias.js';
import { YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { createEventFlow, type EventFlow } from './eventFlow.js';

const OWNER = { org_id: 'org', supplier_id: 'supplier-1', name: 'Search' };

describe('the webhook of a supplier', () => {
  let bed: Testbed;
  let flow: EventFlow;
  let receiver: FakeBuyer;
  let got: { body: Record<string, unknown>; headers: Record<string, unknown> }[];
  beforeAll(async () => {
    bed = await startTestbed({ role: null });
    flow = createEventFlow(bed);
    receiver = bed.buyers;
  });
  afterAll(() => bed.stop());
  beforeEach(async () => {
    await flow.reset();
    got = [];
    receiver.behave(({ body, headers }) => {
      got.push({ body, headers });
      return YES;
    });
  });
  const deps = () => ({
    ...flow.deps,
    collections: bed.collections,
    policy: { allowPrivate: true },
  });
  const set = (change: Partial<Parameters<typeof setSupplierWebhook>[2]> = {}) =>
    setSupplierWebhook(deps(), OWNER, { url: `${receiver.url}/hook`, status: 'active', ...change });
  const drain = async (): Promise<void> => {
    for (const { _id } of (await findSupplierWebhook(bed.collections, OWNER)) ?? [])
      await flow.drain(_id);
  };
  const sold = {
    supplier_id: OWNER.supplier_id,
    pending_at: new Date('2026-11-20T10:00:00Z'),
    fields: { first_name: 'Hidden-Name' },
    price: 77_654_321,
    cost: 33_654_321,
  } satisfies Partial<Lead>;
  const tell = async (id: string, type: 'lead.accepted' | 'lead.expired', lead: Partial<Lead>) => {
    await flow.insertLeads([id], type, 1, lead);
    await bed.collections.leads.updateOne(
      { _id: id },
      { $set: { 'untold.0.data.status': type === 'lead.accepted' ? 'ACCEPTED' : 'EXPIRED' } },
    );
    if (type === 'lead.accepted')
      await bed.collections.leads.updateOne(
        { _id: id },
        { $set: { 'untold.0.data.buyer_id': 'buyer-9', 'untold.0.data.price': 77_654_321 } },
      );
    await flow.relay([id]);
  };

  const resend = (order: Parameters<typeof resendEvents>[1]) =>
    resendEvents(
      {
        collections: bed.collections,
        orgId: 'org',
        clock: flow.deps.clock,
        wakeEndpoints: () => undefined,
      },
      order,
    );

  it('receives events only of its own leads that were answered pending', async () => {
    await set();
    await tell('sold', 'lead.accepted', sold);
    await tell('expired', 'lead.expired', sold);
    await tell('at-once', 'lead.accepted', { supplier_id: OWNER.supplier_id });
    await tell('of-another', 'lead.accepted', { ...sold, supplier_id: 'supplier-2' });
    await drain();
    expect(got.map(({ body }) => [body.type, (body.data as { id: string }).id])).toEqual([
      ['lead.accepted', 'sold'],
      ['lead.expired', 'expired'],
    ]);
  });

  it('receives nothing of a lead that is sold again, also where an earlier release meant to send it', async () => {
    await set();
    const resale = { origin: 'sold', order_id: 'o', exclude: [], campaigns: ['c'] };
    const resold = { ...sold, resale: { ...resale, replaces: true, paid: true } };
    await tell('resold', 'lead.accepted', resold);
    await tell('unsold', 'lead.expired', resold);
    expect(await bed.collections.eventDeliveries.countDocuments()).toBe(0);
    const [accepted] = (await findSupplierWebhook(bed.collections, OWNER)) ?? [];
    const left = { lead_id: 'resold', ord: 1, org_id: 'org', created_at: flow.now() } as const;
    const event = { ...left, _id: 'evt_resold_1', type: 'lead.accepted' } as const;
    await bed.collections.eventDeliveries.insertOne(
      newEventDelivery(event, accepted?._id ?? '', flow.now()),
    );
    await drain();
    expect(got).toEqual([]);
    expect(await bed.collections.eventDeliveries.findOne()).toMatchObject({
      state: 'parked',
      reason: 'the supplier does not wait for this decision',
    });
  });

  it('is sent no event of another supplier, nor one that its supplier does not wait for, on request', async () => {
    const [accepted] = (await set()).webhook;
    const automation_id = accepted?._id ?? '';
    await flow.automate({ trigger: 'lead.outcome' });
    const others = { ...sold, supplier_id: 'supplier-2' };
    await tell('of-another', 'lead.accepted', others);
    await tell('at-once', 'lead.accepted', { supplier_id: OWNER.supplier_id });
    await flow.subscribe(['lead.accepted', 'lead.expired', 'lead.outcome']);
    await flow.insertLeads(['told'], 'lead.outcome', 1, sold);
    await flow.relay(['told']);
    for (const id of ['of-another', 'at-once', 'told'])
      await expect(resend({ event_id: `evt_${id}_1`, automation_id })).rejects.toMatchObject({
        code: 'action_refused',
        message: expect.stringMatching(
          /is the webhook of a supplier, which may be sent only lead.accepted of its own leads/,
        ),
      });
    await drain();
    expect(got).toEqual([]);
    await tell('sold', 'lead.accepted', sold);
    await drain();
    expect(await resend({ event_id: 'evt_sold_1', automation_id })).toMatchObject({ resent: 1 });
    await drain();
    expect(got.map(({ body }) => body.id)).toEqual(['evt_sold_1', 'evt_sold_1']);
  });

  it('contains what the ingest answer would have contained, and nothing more', async () => {
    const { secret } = await set();
    const ping = { ping_id: 'p', bids: [], reveal_buyers: false };
    await tell('sold', 'lead.accepted', { ...sold, ping });
    await drain();
    const [first] = got;
    const lead = await bed.collections.leads.findOne({ _id: 'sold' });
    const campaign_id = lead?.campaign_id ?? '';
    expect(first?.body).toEqual({
      id: 'evt_sold_1',
      type: 'lead.accepted',
      created_at: expect.any(String),
      data: {
        id: 'sold',
        status: 'ACCEPTED',
        buyer_id: buyerAlias(bed.keyring, {
          campaign_id,
          supplier_id: OWNER.supplier_id,
          buyer_id: 'buyer-9',
        }),
        campaign_id,
        delivery: 'delivered',
        is_test: false,
        created_at: lead?.created_at.toISOString(),
      },
    });
    const sent = JSON.stringify(first);
    for (const hidden of ['Hidden-Name', '654321', '77.65', '33.65', 'buyer-9'])
      expect(sent).not.toContain(hidden);
    const signature = String(first?.headers['x-leaddistro-signature']);
    expect(isSigned(secret ?? '', JSON.stringify(first?.body), signature)).toBe(true);
  });

  it('is created once with one secret, even by concurrent set-ups', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => set()));
    expect(all.filter(({ secret }) => secret !== null)).toHaveLength(1);
    expect(await bed.collections.automations.countDocuments()).toBe(2);
    const wants = await bed.collections.eventWants.findOne({ _id: 'org' });
    expect(wants?.types).toEqual(['lead.accepted', 'lead.expired']);
  });

  it('keeps its secret and hidden headers when its path changes, and asks for them at another origin', async () => {
    await set({ headers: { Authorization: 'Bearer hidden' } });
    const moved = await set({ url: `${receiver.url}/other` });
    expect(moved.secret).toBeNull();
    for (const { _id, target } of moved.webhook)
      expect(
        target.headers && JSON.parse(bed.keyring.open(target.headers, automationHeadersPlace(_id))),
      ).toEqual({
        Authorization: 'Bearer hidden',
      });
    await expect(set({ url: 'http://127.0.0.2:9/hook' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('is refused an address that the installation does not allow', async () => {
    const closed = { ...deps(), policy: { allowPrivate: false } };
    const url = 'http://169.254.169.254/latest';
    await expect(
      setSupplierWebhook(closed, OWNER, { url, status: 'active' }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await bed.collections.automations.countDocuments()).toBe(0);
  });

  it('signs with both secrets while they overlap', async () => {
    const { secret: before } = await set();
    const { secret, previousUntil } = await rotateSupplierWebhookSecret(deps(), OWNER, 24);
    expect(secret).not.toBe(before);
    expect(previousUntil).toEqual(new Date(Number(flow.now()) + 86_400_000));
    for (const one of (await findSupplierWebhook(bed.collections, OWNER)) ?? []) {
      expect(bed.keyring.open(one.secret, automationSecretPlace(one._id))).toBe(secret);
      expect(
        one.previous_secret &&
          bed.keyring.open(one.previous_secret.secret, automationSecretPlace(one._id)),
      ).toBe(before);
    }
  });

  it('can be paused by operators, but not redirected by them', async () => {
    const [one] = (await set()).webhook;
    const own = { ...deps(), orgId: 'org', mayReadLeads: true };
    const change = (changes: Parameters<typeof updateAutomation>[2]) =>
      updateAutomation(own, one?._id ?? '', changes);
    await expect(change({ target: { url: 'http://127.0.0.1:1/' } })).rejects.toMatchObject({
      code: 'action_refused',
    });
    await expect(change({ rotate_secret: true })).rejects.toMatchObject({ code: 'action_refused' });
    expect((await change({ status: 'paused' })).automation.status).toBe('paused');
  });
});
