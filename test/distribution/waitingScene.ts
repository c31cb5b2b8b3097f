/** A lead that did not go to its buyer at once, and the changes that may keep it from that buyer meanwhile. */
import { randomUUID } from 'node:crypto';
import type { BuyerTerms, Plan, SuppressionRef } from '../../src/account/rules/plan.js';
import { planId } from '../../src/account/rules/plan.js';
import { suppressionKeys } from '../../src/account/rules/suppressionKeys.js';
import { hashMd5 } from '../../src/account/suppression/hashMd5.js';
import type { ProcessDeps } from '../../src/distribution/processLeads.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { createQueueStore } from '../../src/deliveries/store/queue.js';
import type { OutboundHttp } from '../../src/platform/outbound/http.js';
import { receivedEntry } from '../../src/leads/rules/trail.js';
import { sealedBefore } from '../support/sealedBefore.js';
import { aBuyer, aPlan, aSupplier, aWebhook, someFields } from '../support/builders.js';
import type { TestDatabase } from '../support/database.js';
import { aLead, aRow } from '../support/storedRows.js';
import { screeningDeps, SECRET } from './screeningDeps.js';

const HOUR_MS = 3_600_000;
const LIST = 'list';

/** What changes between the version that decided the lead and the one of today. */
export interface Change {
  isTest?: boolean;
  /** The terms of `target` today. */
  terms?: Partial<BuyerTerms>;
  /** A list that has the person today. */
  list?: Pick<SuppressionRef, 'scope'> & { isNew: boolean };
}

/** Why today's terms keep the lead from `target`. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'its link or itself is paused': { terms: { status: 'paused' } },
  'it is set to test mode, and the lead is live': { terms: { test_mode: true } },
  'it is set to live, and the lead is a test': { isTest: true, terms: { test_mode: false } },
  'the person is added to its list': { list: { scope: 'buyer', isNew: false } },
  'it gets a list with the person': { list: { scope: 'buyer', isNew: true } },
  'the person is added to a list of the campaign': { list: { scope: 'campaign', isNew: false } },
  'the organization gets a list with the person': { list: { scope: 'organisation', isNew: true } },
};

export type Deps = ProcessDeps & {
  collections: TestDatabase['collections'];
  queue: ReturnType<typeof createQueueStore>;
};

export interface WaitingScene {
  lead: Lead;
  rowOf: (row: Partial<DeliveryDoc>) => DeliveryDoc;
  deps: Deps;
  /** The buyers that were sent the lead. */
  asked: string[];
  /** Ids of buyers: `other` refuses every lead, `target` would take it. */
  buyers: { other: string; target: string };
  /** Resolves when nothing is in progress. */
  idle: () => Promise<void>;
}

/** Two buyers, two versions of their campaign, and a lead of the first version. */
export async function waitingScene(
  database: TestDatabase,
  { isTest = false, terms = {}, list }: Change,
  overrides: Partial<Lead> = {},
): Promise<WaitingScene> {
  const { collections } = database;
  const [campaign_id, name] = [randomUUID(), randomUUID()];
  const [other, target] = [`other ${name}`, `target ${name}`];
  const signing_secret = sealedBefore(SECRET, 'secret');
  const buyers = [other, target].map((buyer_id, n) =>
    aBuyer({
      buyer_id,
      priority: n + 1,
      signing_secret,
      test_mode: isTest,
      delivery: aWebhook({ url: buyer_id, on_unknown: 'fail_over' }),
    }),
  );
  const list_id = `${LIST} ${name}`;
  const ref: SuppressionRef[] = list
    ? [{ list_id, scope: list.scope, ...(list.scope === 'buyer' && { buyer_id: target }) }]
    : [];
  const then = aPlan({
    _id: planId(campaign_id, 1),
    campaign_id,
    buyers,
    suppliers: { s1: aSupplier() },
    ...(list && !list.isNew && { suppression: ref }),
  });
  const now: Plan = {
    ...then,
    _id: planId(campaign_id, 2),
    version: 2,
    buyers: buyers.map((one) => (one.buyer_id === target ? { ...one, ...terms } : one)),
    ...(list && { suppression: ref }),
  };
  await collections.plans.insertMany([then, now]);
  await collections.campaigns.updateOne(
    { _id: campaign_id },
    { $set: { plan_version: 2, name: campaign_id } },
    { upsert: true },
  );
  const created_at = new Date();
  const lead = aLead({
    campaign_id,
    supplier_id: 's1',
    plan_version: 1,
    is_test: isTest,
    created_at,
    fields: someFields({ email: `${name}@example.com` }),
    trail: [receivedEntry(1, created_at)],
    ...overrides,
  });
  await collections.leads.insertOne(lead);
  const rowOf = (row: Partial<DeliveryDoc>): DeliveryDoc =>
    aRow({
      lead_id: lead._id,
      campaign_id,
      supplier_id: 's1',
      run: 'dead',
      created_at,
      due_at: new Date(0),
      expires_at: new Date(Date.now() + HOUR_MS),
      ...row,
    });
  const asked: string[] = [];
  const send: OutboundHttp['send'] = ({ url }) => {
    asked.push(url);
    const status = url === other ? 422 : 200;
    return Promise.resolve({ kind: 'answered', status, headers: {}, body: '' });
  };
  const work: Promise<void>[] = [];
  const deps: Deps = {
    ...screeningDeps(database, send),
    collections,
    queue: createQueueStore(collections.deliveries),
    softLimitMs: HOUR_MS,
    background: { add: (one) => void work.push(one) },
  };
  if (list) {
    const md5s = suppressionKeys(lead.fields, hashMd5).map(({ md5 }) => md5);
    await deps.suppressions.add({ list_id, org_id: lead.org_id }, md5s, false);
  }
  const idle = async () => {
    await Promise.all(work);
  };
  return { lead, rowOf, deps, asked, buyers: { other, target }, idle };
}
