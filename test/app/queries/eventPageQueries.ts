/** Queries of event lists, of resending events, and of keeping subscriptions in step. */
import { listAutomations, findAutomation } from '../../../src/automations/automations.js';
import { listenToEvents, withSubscriptions } from '../../../src/automations/subscriptions.js';
import { resendEvents } from '../../../src/automations/resend.js';
import { readShownEvents } from '../../../src/automations/readShownEvents.js';
import { findEventDeliveries, findEvents } from '../../../src/automations/store/eventPages.js';
import { findPage, OLDEST_FIRST } from '../../../src/platform/mongo/pages.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

const MINUTE = 60_000;

export async function sendEventPages(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const { automations, events, eventDeliveries } = collections;
  const org_id = 'listener';
  const context = {
    collections,
    orgId: org_id,
    clock: { now: () => NOW },
    wakeEndpoints: () => undefined,
  };
  const at = new Date(Number(NOW) - 150 * MINUTE);
  const since = new Date(Number(NOW) - 100 * MINUTE).toISOString();
  for (const after of [null, { at, id: 'evt_told-150_1' }]) {
    const wanted = { after, limit: 20 };
    const page = after ? ', next page' : '';
    for (const asked of [{}, { type: 'lead.outcome' as const }, { lead_id: 'told-7' }, { since }])
      await during(`findEvents, ${Object.keys(asked).join('')}${page}`, () =>
        findEvents(events, { org_id, ...asked }, wanted),
      );
    const [automation_id, event_id] = ['teller-1', 'evt_told-7_1'];
    for (const asked of [{}, { automation_id }, { event_id }])
      for (const more of [{}, { state: 'parked' as const }])
        await during(
          `findEventDeliveries, ${Object.keys({ ...asked, ...more }).join('')}${page}`,
          () => findEventDeliveries(eventDeliveries, { org_id, ...asked, ...more }, wanted),
        );
  }
  await during('list_automations', () =>
    findPage(automations, { org_id }, OLDEST_FIRST, { after: null, limit: 20 }),
  );
  await during('automationsOf', () => listAutomations(collections, org_id, ['campaign']));
  await during('findAutomation', () => findAutomation(context, 'teller-1'));
  await during('withWants', () => withSubscriptions(collections, org_id, () => Promise.resolve()));
  await during('listenFor', () => listenToEvents(context));
  const found = await events.find({ org_id }).limit(5).toArray();
  await during('shownEvents', () => readShownEvents(collections, found));
  await during('resendEvents, one', () =>
    resendEvents(context, { event_id: 'evt_told-7_1', automation_id: 'teller-1' }),
  );
  await during('resendEvents, since', () =>
    resendEvents(context, { automation_id: 'teller-2', since }),
  );
}
