/** Queries of looking for alerts, and of the counts of readiness. */
import { createAlertStore } from '../../../src/alerts/store/alerts.js';
import { findCampaignPage } from '../../../src/alerts/store/campaignPages.js';
import { countDeadLettered } from '../../../src/automations/store/eventDeliveries.js';
import { countOpenBreakers, findOverdue } from '../../../src/deliveries/store/stuckQueues.js';
import { countLeads, findLastLead } from '../../../src/leads/store/linkLeads.js';
import { findCampaignDays } from '../../../src/reports/store/campaignDays.js';
import { after, before, NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many } from './seed.js';

/** Before the calls that change the leads. */
export async function sendAlerts(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const { alerts, campaigns, deliveries, destinations, eventDeliveries, leads } = collections;
  const link = { org_id: 'org', campaign_id: 'campaign', supplier_id: 'supplier' };
  const span = { from: before(3_600_000), to: after(3_600_000) };
  await during('findCampaignPage', () => findCampaignPage(campaigns, '', 100));
  await during('findLastLead', () => findLastLead(leads, link));
  await during('countLeads', () => countLeads(leads, link, span, 5));
  await during('findCampaignDays', () =>
    findCampaignDays(collections.rollups, ['campaign', 'campaigns-1'], '2026-11-07'),
  );
  await during('findOverdue', () => findOverdue(deliveries, NOW));
  await during('countOpenBreakers', () => countOpenBreakers(destinations, 1_000));
  await during('countDeadLettered', () => countDeadLettered(eventDeliveries, 1_000));
  const store = createAlertStore(alerts);
  const event = {
    type: 'queue.stuck' as const,
    data: { buyer_id: 'b', buyer_name: 'B', reason: 'breaker' as const, since: '' },
  };
  const raised = { id: 'queue:b', org_id: 'org', kind: 'queue' as const, event };
  await during('alerts.raise', () => store.raise(raised, NOW, before(1)));
  await during('alerts.get', () => store.get(many('queue')));
  await during('alerts.findOpen', () => store.findOpen('queue', 100));
  await during('alerts.findUntold', () => store.findUntold(100));
  await during('alerts.end', () => store.end('queue:b', event, NOW));
  await during('alerts.told', () => store.told('queue:b', ['evt_queue:b_1']));
}
