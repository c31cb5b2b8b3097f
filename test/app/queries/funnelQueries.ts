/** Queries of funnels. */
import { findConsent } from '../../../src/funnels/submit/consent.js';
import { requireFunnelsFit } from '../../../src/funnels/campaign.js';
import {
  createFunnel,
  deleteFunnel,
  findFunnel,
  listFunnels,
  updateFunnel,
} from '../../../src/funnels/funnels.js';
import { readFunnelSums } from '../../../src/funnels/funnelSums.js';
import { getFunnelStats } from '../../../src/funnels/funnelStats.js';
import { publishFunnel, unpublishFunnel } from '../../../src/funnels/publish.js';
import { before } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import { ADA, funnelContext } from '../../funnels/place.js';
import type { Recorder } from './explain.js';

const FUNNEL = 'fun_00001';
const PAGES = [null, { at: before(400_000), id: 'fun_00400' }];

export async function sendFunnels(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const context = funnelContext(collections, 'org');
  const refused = (work: Promise<unknown>) => work.catch(() => undefined);
  for (const after of PAGES)
    for (const only of [{}, { status: 'published' }, { campaign_id: 'campaigns-1' }] as const)
      await during(`listFunnels ${Object.keys(only).join(' ')}`, () =>
        listFunnels(context, only, { after, limit: 5 }),
      );
  const { definition } = await findFunnel(context, FUNNEL);
  await during('funnels.bySlug', () => collections.funnels.findOne({ slug: 'funnel-7' }));
  await during('updateFunnel', () => refused(updateFunnel(context, FUNNEL, { name: 'Funnel 3' })));
  await during('createFunnel', () =>
    refused(
      createFunnel(context, {
        template: 'quiz',
        campaign_id: 'campaigns-1',
        supplier_id: 'suppliers-1',
      }),
    ),
  );
  await during('publishFunnel', () => refused(publishFunnel(context, FUNNEL, ADA)));
  await during('unpublishFunnel', () => refused(unpublishFunnel(context, FUNNEL)));
  await during('requireFunnelsFit', () =>
    requireFunnelsFit(
      collections,
      { _id: 'campaigns-1', fields: [], routing_method: 'DIRECT_POST' },
      { routing_method: 'PING_POST' },
    ),
  );
  const scope = {
    orgId: 'org',
    funnelId: FUNNEL,
    from: '2026-11-01',
    to: '2026-11-21',
    timeZone: 'UTC',
  };
  for (const version of [undefined, 1])
    await during(`getFunnelStats ${version ?? ''}`, () =>
      getFunnelStats(collections, { ...scope, version }, definition),
    );
  await during('readFunnelSums', () =>
    readFunnelSums(collections, [FUNNEL, 'fun_00002'], { ...scope, from: '2026-11-15' }),
  );
  for (const lead of ['visitor-11', 'visitor-10'])
    await during(`findConsent ${lead}`, () => findConsent(context, lead));
  await during('deleteFunnel', () => refused(deleteFunnel(context, FUNNEL)));
}
