/** Undelivered events as operators see them, and sending them again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventDeliveryDoc } from '../../../src/automations/store/automationDocs.js';
import { aLead, NOW } from '../../support/storedRows.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

interface Delivery {
  id: string;
  state: string;
}

describe('deliveries of events', () => {
  const woken: string[] = [];
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi({ wakeEndpoints: (ids) => void woken.push(...ids) });
  });
  afterAll(() => api.stop());

  /** An automation with an event in each state. */
  const withEvents = async (org: Org) => {
    const { id: automation_id } = await api.done<{ id: string }>(org, 'create_automation', {
      trigger: 'lead.accepted',
      action: 'WEBHOOK',
      target: { url: 'https://crm.example/' },
    });
    const lead = aLead({ org_id: org.id });
    const of = { org_id: org.id, type: 'lead.accepted' as const, created_at: NOW };
    const data = { lead_id: lead._id, campaign_id: lead.campaign_id, n: 1, status: 'ACCEPTED' };
    const rows = (['waiting', 'parked', 'delivered'] as const).map((state): EventDeliveryDoc => {
      const event_id = `evt_${lead._id}_${state}`;
      return {
        ...of,
        _id: `${automation_id}:${event_id}`,
        automation_id,
        event_id,
        lead_id: lead._id,
        ord: 1,
        attempts: 3,
        state,
        due_at: NOW,
        give_up_at: NOW,
        ...(state === 'parked' ? { http_status: 503, reason: 'answered 503' } : {}),
      };
    });
    await api.collections.events.insertMany(
      rows.map(({ event_id }) => ({ ...of, _id: event_id, data }) as never),
    );
    await api.collections.eventDeliveries.insertMany(rows);
    return automation_id;
  };
  const listed = (org: Org, input: object) =>
    api.done<Delivery[]>(org, 'list_event_deliveries', input);

  it('are listed by automation and state, with the latest answer', async () => {
    const org = await api.org();
    const automation_id = await withEvents(org);
    expect(await listed(org, { automation_id })).toHaveLength(3);
    expect(await listed(org, { automation_id, state: 'parked' })).toMatchObject([
      { state: 'parked', attempts: 3, http_status: 503, reason: 'answered 503', due_at: null },
    ]);
  });

  it('wait again on request: one, or all that did not arrive', async () => {
    const org = await api.org();
    const automation_id = await withEvents(org);
    const [parked] = await listed(org, { automation_id, state: 'parked' });
    const event_id = parked?.id.replace(`${automation_id}:`, '');
    expect(await api.done(org, 'resend_event', { event_id })).toEqual({
      resent: 1,
      automation_ids: [automation_id],
      next_since: null,
    });
    expect(woken).toContain(automation_id);
    expect(await listed(org, { automation_id, state: 'waiting' })).toHaveLength(2);
    const since = new Date(Number(NOW) - 1).toISOString();
    expect(await api.done(org, 'resend_event', { automation_id, since })).toMatchObject({
      resent: 2,
    });
    const all = { automation_id, since, include_delivered: true };
    expect(await api.done(org, 'resend_event', all)).toMatchObject({ resent: 3 });
  });
});
