/** Deliveries as operators see them: which, in which order, and why they wait. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryDoc } from '../../../../src/deliveries/store/deliveryDoc.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';
import { windowsNow } from '../../../support/org.js';
import { aLead, aRow } from '../../../support/storedRows.js';

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE);
const ahead = (minutes: number) => ago(-minutes);

interface Shown {
  id: string;
  state: string;
  why: string | null;
  why_code: string | null;
  buyer_name: string | null;
  lead_name: string | null;
  next_try_at: string | null;
  reason: string | null;
  history: { result: string; by: string | null; http_status: number | null }[] | null;
  can: { action: string }[];
}

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe('deliveries', () => {
  let org: Org;
  let place: { campaign_id: string; supplier_id: string; buyer_id: string };
  beforeAll(async () => {
    org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    place = { campaign_id: campaign.id, supplier_id: supplier.id, buyer_id: buyer.id };
    const row = (id: string, minutes: number, more: Partial<DeliveryDoc>): DeliveryDoc =>
      aRow({
        lead_id: id,
        org_id: org.id,
        ...place,
        created_at: ago(minutes),
        expires_at: ahead(60),
        reserved: windowsNow(),
        ...more,
      });
    await api.collections.deliveries.insertMany([
      row('waits', 9, { state: 'parked', due_at: ahead(5) }),
      row('held', 7, { state: 'parked', held: true, due_at: new Date('9999-12-31T00:00:00Z') }),
      row('asked', 8, { state: 'unknown', reason: 'timeout' }),
      row('sold', 6, { state: 'accepted', settled_at: ago(5), http_status: 200, latency_ms: 80 }),
      row('no', 5, { state: 'rejected', reason: 'not wanted', excerpt: '{"ok":false}' }),
      row('open', 0, { state: 'sending', answer_by: ahead(1) }),
      row('elsewhere', 4, { state: 'parked', due_at: ago(1), buyer_id: 'gone' }),
    ]);
    await api.collections.leads.insertOne(
      aLead({
        _id: 'no',
        org_id: org.id,
        status: 'UNMATCHED',
        trail: [
          { at: ago(5), step: 'received', result: 'stored' },
          {
            at: ago(4),
            step: 'delivery',
            result: 'retried',
            buyer_id: place.buyer_id,
            detail: { attempt: 1, by: 'Ann', note: 'now' },
          },
          {
            at: ago(3),
            step: 'delivery',
            result: 'rejected',
            buyer_id: place.buyer_id,
            reason: 'not wanted',
            detail: { attempt: 1, http_status: 422, latency_ms: 12 },
          },
          { at: ago(3), step: 'delivery', result: 'accepted', buyer_id: 'another', detail: {} },
        ],
      }),
    );
    await api.collections.leads.insertMany([
      aLead({ _id: 'open', org_id: org.id }),
      aLead({ _id: 'waits', org_id: org.id, fields: { first_name: 'Noor', last_name: 'Smith' } }),
    ]);
  });

  const list = async (input: object) =>
    (await api.done<Shown[]>(org, 'list_deliveries', input)).map(({ id }) => id);

  it('that wait come first by default, oldest first, each with its reason and its buyer', async () => {
    const rows = await api.done<Shown[]>(org, 'list_deliveries', {});
    expect(
      rows.map(({ id, state, why_code, buyer_name }) => [id, state, why_code, buyer_name]),
    ).toEqual([
      ['waits:1', 'waiting', 'checked_later', 'Acme'],
      ['asked:1', 'unknown', 'unanswered', 'Acme'],
      ['held:1', 'held', 'held', 'Acme'],
      ['elsewhere:1', 'waiting', 'not_linked', null],
    ]);
    expect(rows[1]?.why).toMatch(/^It was sent and never answered: .*\.$/);
    expect(rows.map(({ next_try_at }) => next_try_at === null)).toEqual([false, true, true, true]);
  });

  it('have the name of the person, where it was given', async () => {
    const rows = await api.done<Shown[]>(org, 'list_deliveries', { state: 'waiting' });
    expect(rows.map(({ lead_name }) => lead_name)).toEqual(['Noor Smith', null, null]);
  });

  it('are limited to a state, a buyer, a lead, a time', async () => {
    expect(await list({ state: 'unknown' })).toEqual(['asked:1']);
    expect(await list({ state: 'waiting', buyer_id: place.buyer_id })).toEqual([
      'waits:1',
      'held:1',
    ]);
    expect(await list({ state: 'done' })).toEqual(['no:1', 'sold:1']);
    expect(await list({ state: 'rejected', campaign_id: place.campaign_id })).toEqual(['no:1']);
    expect(await list({ created_from: ago(7.5).toISOString() })).toEqual(['held:1', 'elsewhere:1']);
    expect(await list({ lead_id: 'open' })).toEqual(['open:1']);
    expect(await list({ supplier_id: place.supplier_id, state: 'failed' })).toEqual([]);
  });

  it.each([
    [{ state: 'sending' }, 422, 'lead_id is required with state sending'],
    [{ lead_id: 'none' }, 400, 'There is no lead none.'],
    [{ buyer_id: 'none' }, 400, 'There is no buyer none'],
    [{ state: 'gone' }, 422, 'state must be'],
  ])('are refused for %j', async (input, status, message) => {
    const answer = await api.call(await org.sharedKey(), 'list_deliveries', input);
    expect([answer.status, answer.json?.message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  it('need a buyer where they do not wait and the account has many buyers', async () => {
    const many = await api.org();
    await api.collections.buyers.insertMany(
      Array.from({ length: 41 }, (_, n) => ({
        _id: `${many.id}:${n}`,
        org_id: many.id,
        name: `Buyer ${n}`,
        webhook_secret_hash: `${many.id}:${n}`,
      })) as never[],
    );
    const answer = await api.call(await many.sharedKey(), 'list_deliveries', { state: 'done' });
    expect([answer.status, answer.json?.details]).toMatchObject([422, [{ path: 'buyer_id' }]]);
    expect(await api.done(many, 'list_deliveries', { state: 'rejected' })).toEqual([]);
  });

  it('are shown with their answers, commands, and what can be done', async () => {
    const shown = await api.done<Shown>(org, 'get_delivery', { delivery_id: 'no:1' });
    expect(shown).toMatchObject({ state: 'rejected', answer: '{"ok":false}', why: null, can: [] });
    expect(shown.history).toMatchObject([
      { result: 'retried', by: 'Ann', note: 'now' },
      { result: 'rejected', http_status: 422, latency_ms: 12 },
    ]);
    const unknown = await api.done<Shown>(org, 'get_delivery', { delivery_id: 'asked:1' });
    expect(unknown.can.map(({ action }) => action)).toEqual([
      'resolve_delivery',
      'drop_deliveries',
    ]);
  });

  it("wait for the buyer's breaker, its pause and its hold", async () => {
    const { destinations } = api.collections;
    const whyOf = async () =>
      (await api.done<Shown>(org, 'get_delivery', { delivery_id: 'waits:1' })).why_code;
    const set = (fields: object) =>
      destinations.updateOne(
        { _id: place.buyer_id },
        { $set: { org_id: org.id, failures: 6, retry_at: null, ...fields } },
        { upsert: true },
      );
    await set({ paused_at: ago(1), open_until: ahead(1) });
    expect(await whyOf()).toBe('breaker_open');
    await set({ held: true });
    expect(await whyOf()).toBe('queue_held');
    await destinations.deleteOne({ _id: place.buyer_id });
    await api.done(org, 'update_buyer', { buyer_id: place.buyer_id, status: 'paused' });
    expect(await whyOf()).toBe('buyer_paused');
    await api.done(org, 'update_buyer', { buyer_id: place.buyer_id, status: 'active' });
  });
});
