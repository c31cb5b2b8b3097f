import { listReturns } from '../../../src/api/actions/list/returns.js';
import type { ActionContext } from '../../../src/api/actions/action.js';
import type { Page } from '../../../src/api/actions/paging.js';
import { readReconciliation } from '../../../src/outcomes/reconciliation.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { createLog } from '../../../src/lib/log.js';
import { createRedistribute } from '../../../src/outcomes/resale/redistribute.js';
import { createReturnStore } from '../../../src/outcomes/store/returns.js';
import { NOW } from '../../support/storedRows.js';
import type { Recorder } from './explain.js';
import { aReturn } from './seedReturns.js';

/** Its orders name a campaign that does not exist: they read what there is, and change nothing. */
const redistribute = (collections: ActionContext['collections']) =>
  createRedistribute({
    collections,
    deliveries: createDeliveryStore(collections.deliveries),
    plans: createPlanStore(collections.plans),
    starter: { restart: () => Promise.resolve() },
    clock: { now: () => NOW },
    log: createLog('silent', 'test'),
  });

/** Queries about returns, and for a buyer's books. */
export async function sendReturns(
  { during }: Pick<Recorder, 'during'>,
  context: ActionContext,
): Promise<void> {
  const { collections } = context;
  const returns = createReturnStore(collections);
  await during('returns.of', () => returns.of('returned-1', 'buyer-1'));
  await during('returns.get', () => returns.get('org', 'returned-1:buyer-1:1'));
  await during('returns.owed', () => returns.owed({ before: NOW, now: NOW }, 20));
  await during('returns.due', () => returns.due(NOW, 20));
  await during('returns.add', () => returns.add(aReturn('new', { state: 'requested' }), 1_000));
  const decided = { resolved_at: NOW, resolved_by: { kind: 'system' } as const };
  await during('returns.accept', () => returns.accept('returned-3:buyer-3:1', decided));
  await during('returns.reject', () => returns.reject('returned-6:buyer-6:1', decided));
  await during('returns.made', () => returns.made('returned-1:buyer-1:1', { reversed: 1 }));
  const narrow = [{ state: 'requested' }, { buyer_id: 'buyers-0' }, { campaign_id: 'campaigns-1' }];
  for (const filter of [{}, ...narrow]) {
    const name = `list_returns ${Object.keys(filter).join('')}`;
    const page = async (cursor?: string) =>
      (await listReturns.run({ limit: 4, cursor, ...filter }, context)) as Page<unknown>;
    const next: string[] = [];
    await during(name, async () => next.push((await page()).next_cursor ?? ''));
    for (const cursor of next.filter((one) => one !== ''))
      await during(`${name}, next page`, () => page(cursor));
  }
  const ofLead = await collections.leads.findOne({ org_id: context.orgId });
  await during('list_returns lead_id', () =>
    listReturns.run({ limit: 4, lead_id: ofLead?._id }, context),
  );
  const days = { orgId: 'org', from: '2026-11-20', to: '2026-11-21', buyer_id: 'buyers-1' };
  await during('redistribute', async () => {
    const lead = await collections.leads.findOne({ _id: 'resold-7' });
    if (!lead) throw new Error('It is not stored');
    await redistribute(collections)({ id: 'order', lead, campaign_id: 'unknown' });
  });
  for (const scope of [days, { ...days, campaign_id: 'campaigns-1' }])
    await during(`readReconciliation, ${Object.keys(scope).length}`, () =>
      readReconciliation(context, scope),
    );
}
