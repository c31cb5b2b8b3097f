import { getBuyerHealth, listBuyerHealth } from '../../../src/api/actions/list/buyerHealth.js';
import { getToday } from '../../../src/api/actions/list/today.js';
import { accountOf } from '../../support/org.js';
import { overridingCampaigns } from '../../../src/account/links/deliveryOverrides.js';
import { requireRoom } from '../../../src/account/links/storeLink.js';
import { restless } from '../../reports/disturbed.js';
import { findKey } from '../../../src/api/actions/access.js';
import { createKeyLookup } from '../../../src/api/actions/keyLookup.js';
import type { ActionContext } from '../../../src/api/actions/action.js';
import { writeTextCursor } from '../../../src/api/actions/cursor.js';
import {
  allowanceOfKey,
  allowanceOfSession,
  countEach,
  countOfSessions,
} from '../../../src/api/calls/allowance.js';
import { findLinksOfBuyer, findLinksOfSupplier } from '../../../src/account/store/linksOfParty.js';
import { readBuyerFigures, readSupplierFigures } from '../../../src/api/actions/partyFigures.js';
import { listAudit } from '../../../src/api/actions/list/audit.js';
import { listBuyers } from '../../../src/api/actions/list/buyers.js';
import { listCampaigns } from '../../../src/api/actions/list/campaigns.js';
import { listApiKeys } from '../../../src/api/actions/list/keys.js';
import { listSuppliers } from '../../../src/api/actions/list/suppliers.js';
import { recountRollups } from '../../../src/reports/repair/recount.js';
import { countWaiting } from '../../../src/deliveries/store/attention.js';
import { readFlows } from '../../../src/reports/readFlow.js';
import { readReport } from '../../../src/reports/report.js';
import { rollUp } from '../../../src/reports/rollUp.js';
import type { Page } from '../../../src/api/actions/paging.js';
import { getOnboardingStatus } from '../../../src/api/actions/list/onboarding.js';
import { sendTestLeadAction } from '../../../src/api/actions/list/testLead.js';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import { findOrgKey, revokeKey } from '../../../src/account/keys/keys.js';
import { rotateSupplierKey } from '../../../src/account/suppliers/rotateSupplierKey.js';
import { listKeysOf } from '../../../src/api/operator/orgKeys.js';
import { listPlanVersions } from '../../../src/account/plans/listPlanVersions.js';
import { revertCampaign } from '../../../src/account/plans/revertCampaign.js';
import { createKey } from '../../../src/platform/security/keys.js';
import { actionDeps } from '../../support/api.js';
import { claimSpreadsheet } from '../../../src/account/store/spreadsheets.js';
import { findLeads, type LeadFilter } from '../../../src/leads/store/leadPages.js';
import { before } from '../../support/storedRows.js';
import { sendReturns } from './returnQueries.js';
import { sendSearches } from './searchQueries.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { quietLog } from '../../support/quietLog.js';

const OF_PORTALS = [
  { side: 'buyer' as const },
  { buyer_id: 'buyer' },
  { by: 'per_pat' },
  { by: 'key' },
  { record_id: 'buyers-1' },
  { date_from: '2026-01-01', date_to: '2026-12-31', record_id: 'buyers-1' },
];

/** Queries of the Actions API in addition to the account's own. */
export async function sendActions(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const context: ActionContext = {
    ...actionDeps(collections),
    orgId: 'org',
    author: {},
    holdsFurther: false,
    caller: { org_id: 'org', actor: { kind: 'key', id: 'key', name: 'Key' }, permissions: [] },
  };
  const keys = createKeyLookup(collections);
  const refused = (work: Promise<unknown>) => work.catch(() => undefined);
  await during('findKey', () =>
    refused(findKey(`Bearer ${createKey('live')}`, { ...context, keys })),
  );
  const held = { _id: 'a-sheet', org_id: 'another', claimed_at: new Date(0) };
  await collections.spreadsheets.insertOne(held);
  await during('claimSpreadsheet', () => claimSpreadsheet(collections, 'org', held._id));
  await during('countCall', () =>
    countEach(collections.windows)(allowanceOfKey({ _id: 'hash-1' }, { effect: 'write' })),
  );
  const count = countOfSessions(collections.windows);
  await during('countOfSessions', () =>
    Promise.all([count(allowanceOfSession('ses_1')), count(allowanceOfSession('ses_1'))]),
  );
  for (const one of [{}, { action: 'create_buyer' }, ...OF_PORTALS])
    await during(`list_audit reads ${Object.keys(one).join(' ')}`, () =>
      listAudit.run({ limit: 4, of: 'reads', ...one }, context),
    );
  for (const action of [listCampaigns, listBuyers, listSuppliers, listApiKeys, listAudit]) {
    const narrow = action === listAudit ? { action: 'create_buyer' } : { status: 'paused' };
    const verticals =
      action === listCampaigns ? [{ vertical: 'Solar' }, { vertical: 'Solar', ...narrow }] : [];
    const ofPortals = action === listAudit ? OF_PORTALS : [];
    for (const input of action === listApiKeys ? [{}] : [{}, narrow, ...verticals, ...ofPortals]) {
      const name = [action.name, ...Object.keys(input)].join(' ');
      const page = async (cursor?: string) =>
        (await action.run({ limit: 4, cursor, ...input }, context)) as Page<unknown>;
      const next: string[] = [];
      await during(name, async () => next.push((await page()).next_cursor ?? ''));
      for (const cursor of next.filter((one) => one !== ''))
        await during(`${name}, next page`, () => page(cursor));
    }
  }
  await sendLeadLists({ during }, collections);
  await sendSearches({ during }, context);
  await during('requireRoom', () =>
    requireRoom({
      links: collections.campaignBuyers,
      campaign_id: 'campaigns-1',
      kind: 'buyer',
      partner_id: 'buyers-1',
    }),
  );
  await during('overridingCampaigns', () => overridingCampaigns(collections, 'buyers-1'));
  await sendParties({ during }, context);
  await sendReports({ during }, context);
  await sendReturns({ during }, context);
  const after250 = writeTextCursor('get_onboarding_status', 'Name 250');
  for (const input of [{}, { cursor: after250 }])
    await during(`get_onboarding_status, ${Object.keys(input).join('')}`, () =>
      refused(getOnboardingStatus.run({ limit: 20, ...input }, context)),
    );
  const campaign_id = 'campaigns-1';
  await during('get_onboarding_status, campaign', () =>
    refused(getOnboardingStatus.run({ campaign_id, limit: 20 }, context)),
  );
  await during('planHistory', () =>
    listPlanVersions({ collections, keyring: context.keyring }, campaign_id, 900, 5),
  );
  const { _id } = await createCampaign(accountOf({ collections }, 'org'), { name: 'Whole' });
  await during('revertCampaign', () =>
    revertCampaign(accountOf({ collections, keyring: context.keyring }, 'org'), _id, 1),
  );
  await during('send_test_lead', () =>
    refused(sendTestLeadAction.run({ campaign_id, fields: {} }, context)),
  );
  await during('revokeKey', () => revokeKey(accountOf({ collections }, 'org'), 'key-2'));
  await during('findOrgKey, from before keys had ids', () =>
    refused(findOrgKey(accountOf({ collections }, 'org'), '0'.repeat(32))),
  );
  await during('listKeysOf', () => listKeysOf(collections, 'org'));
  const place = { org_id: 'org', supplier_id: 'suppliers-1' };
  for (const overlapHours of [0, 24])
    await during(`rotateSupplierKey, ${overlapHours} hours`, () =>
      rotateSupplierKey(accountOf({ collections }, place.org_id), place.supplier_id, {
        overlapHours,
      }),
    );
}

/** The lists of buyers and suppliers with how each does, and the campaigns of one. */
async function sendParties(
  { during }: Pick<Recorder, 'during'>,
  context: ActionContext,
): Promise<void> {
  const { collections } = context;
  const ids = Array.from({ length: 50 }, (_, n) => ({ _id: `buyers-${n}` }));
  const suppliers = Array.from({ length: 50 }, (_, n) => ({ _id: `suppliers-${n}` }));
  await during('readBuyerFigures', () => readBuyerFigures(ids, context));
  await during('readSupplierFigures', () => readSupplierFigures(suppliers, context));
  await during('findLinksOfBuyer', () => findLinksOfBuyer(collections, 'org', 'buyers-1'));
  await during('findLinksOfSupplier', () => findLinksOfSupplier(collections, 'org', 'suppliers-1'));
}

async function sendReports(
  { during }: Pick<Recorder, 'during'>,
  context: ActionContext,
): Promise<void> {
  await during('rollUp', () => rollUp(context, { withinMs: 1_000 }));
  await during('rollUp, of one', () => rollUp(context, { orgId: 'org', withinMs: 1_000 }));
  const days = { orgId: 'org', from: '2026-11-20', to: '2026-11-21' };
  const [campaign, supplier, buyer] = [
    { campaign_id: 'campaign' },
    { supplier_id: 'supplier' },
    { buyer_id: 'buyer-0' },
  ];
  for (const scope of [{}, campaign, supplier, buyer, { ...campaign, ...supplier, ...buyer }])
    for (const group of ['day', 'buyer', 'state'] as const)
      await during(`readReport, ${Object.keys(scope).join('')} by ${group}`, () =>
        readReport(context, { ...days, ...scope }, group),
      );
  for (const scope of [{}, campaign, supplier, { ...campaign, ...supplier }])
    await during(`readReport, ${Object.keys(scope).join('')} by weekday and hour`, () =>
      readReport(context, { ...days, ...scope }, 'weekday', 'hour'),
    );
  await during('readReport, by supplier and buyer', () =>
    readReport(context, days, 'supplier', 'buyer'),
  );
  for (const campaign_id of [undefined, 'campaign'])
    await during(`readFlows, ${campaign_id ?? 'all'}`, () =>
      readFlows(context, { ...days, campaign_id }, { from: '2026-11-13', to: '2026-11-14' }),
    );
  for (const campaign_id of [undefined, 'campaign'])
    await during(`countWaiting, ${campaign_id ?? 'all'}`, () =>
      countWaiting(context.collections.deliveries, { orgId: 'org', campaign_id }, 1_000),
    );
  await during('get_today', () => getToday.run({}, context));
  await during('get_buyer_health', () =>
    getBuyerHealth.run({ buyer_id: 'buyers-1', hours: 24 }, context),
  );
  await during('list_buyer_health', () =>
    listBuyerHealth.run({ waiting: true, hours: 24, figures: true, limit: 20 }, context),
  );
  await during('recountRollups', () => recountRollups({ ...context, log: quietLog }, restless()));
}

const MINUTE = 60_000;
const FILTERS: Partial<LeadFilter>[] = [
  { campaign_id: 'campaigns-1' },
  { supplier_id: 'suppliers-2' },
  { buyer_id: 'buyers-0' },
  { statuses: ['ACCEPTED', 'SELLING'] },
  { from: before(300 * MINUTE), before: before(100 * MINUTE) },
];

/** Each filter, no filter, pairs of filters and all of them, on the first page and on a later one. */
async function sendLeadLists(
  { during }: Pick<Recorder, 'during'>,
  { leads }: TestDatabase['collections'],
): Promise<void> {
  const pages = [null, { at: before(150 * MINUTE), id: 'listed-451' }];
  const send = async (filter: Partial<LeadFilter>) => {
    for (const place of pages) {
      const name = `findLeads, ${Object.keys(filter).join(' ')}${place ? ', next page' : ''}`;
      const wanted = { after: place, limit: 20 };
      await during(name, () =>
        findLeads(leads, { org_id: 'lister', is_test: false, ...filter }, wanted),
      );
    }
  };
  const [campaign, supplier, buyer, status, span] = FILTERS;
  const pairs = [
    { ...campaign, ...supplier },
    { ...campaign, ...status },
    { ...campaign, ...buyer },
    { ...supplier, ...status },
    { ...supplier, ...buyer },
    { ...supplier, ...span },
    { ...buyer, ...status },
    { ...buyer, outcome: 'converted' as const },
    { isReturned: true },
  ];
  for (const filter of [{}, ...FILTERS, ...pairs, Object.assign({}, ...FILTERS) as object])
    await send(filter);
  const keys = ['phone:+15550000005'];
  for (const more of [{}, campaign, supplier, span, { ...campaign, ...supplier, ...span }])
    for (const forms of [keys, [...keys, 'phone:+15550000006']])
      await send({ keys: [forms], ...more });
}
