/** A sold and a returned lead with all that is stored about it; every value of its person can be recognized. */
import type { ActionName } from '../../src/api/actions/names.js';
import type { Collections } from '../../src/app/database.js';
import { aPing } from '../support/pingBuilders.js';
import { aLead, aRow } from '../support/storedRows.js';

/** Values that are the person's, or that people wrote about it. */
export const SECRETS = [
  ...(['Zqfirst', 'Zqlast', '4155550134', 'zqmail@zqhost.example', '94117'] as const),
  ...(['Zqstreet 12', 'zqextra', 'zqnote', 'zqtrail', 'zqanswer', 'zqreference'] as const),
  ...(['zqconsent', '203.0.113.77', 'zqreturn', 'zqresolved', 'zqping', 'zqclick'] as const),
  'zqcommand',
] as const;

/** The first that is in the text. */
export const isSecretIn = (text: string): string | null =>
  SECRETS.find((secret) => text.toLowerCase().includes(secret.toLowerCase())) ?? null;

/** Ids, as inputs name them. */
export interface Place {
  campaign_id: string;
  buyer_id: string;
  supplier_id: string;
  funnel_id: string;
  automation_id: string;
  lead_id: string;
  delivery_id: string;
  ping_id: string;
}

type Run = (action: ActionName, input: object) => Promise<{ id: string }>;

export async function storeSecrets(
  collections: Collections,
  org_id: string,
  run: Run,
): Promise<Place> {
  const made = await makeAccount(run);
  const { campaign_id, buyer_id, supplier_id, funnel_id, automation_id } = made;
  const campaign = await collections.campaigns.findOne({ _id: campaign_id });
  const lead_id = '6a1f0c3e-2b7d-4e5a-9c40-1d2e3f405162';
  const at = new Date(Date.now() - 5_000);
  const of = { org_id, campaign_id, buyer_id, supplier_id };
  const delivery = { step: 'delivery' as const, at, buyer_id };
  const fields = {
    first_name: 'Zqfirst',
    last_name: 'Zqlast',
    phone: '+14155550134',
    email: 'zqmail@zqhost.example',
    zip_code: '94117',
    address: 'Zqstreet 12',
    click_id: 'zqclick',
    state: 'CA',
  };
  const lead = aLead({
    ...of,
    _id: lead_id,
    status: 'ACCEPTED',
    created_at: at,
    decided_at: at,
    plan_version: campaign?.plan_version ?? 1,
    fields,
    extra: { wish: 'zqextra' },
    keys: ['phone:+14155550134', 'email:zqmail@zqhost.example', 'click_id:zqclick'],
    origin: { funnel_id, version: 1, consent_id: 'consent-1', source: 'ads' },
    outcome: 'converted',
    outcome_at: at,
    uncounted: true,
    changes: 1,
    price: 9e6,
    profit: 9e6,
    sales: [
      { buyer_id, attempt: 1, price: 9e6, cost: 0, at, outcome: 'converted', note: 'zqnote' },
    ],
    trail: [
      { at, step: 'filters', result: 'passed', detail: { values: { zip_code: '94117' } } },
      { ...delivery, result: 'rejected', reason: 'zqtrail: Zqfirst is known' },
      {
        ...delivery,
        result: 'retried',
        detail: { attempt: 1, by: 'Ann', note: 'zqcommand' },
      },
      { ...delivery, result: 'accepted', reason: 'zqtrail', detail: { attempt: 1 } },
      { at, step: 'closing', result: 'ACCEPTED' },
    ],
  });
  const again = { ...fields, phone: '+14155550134' };
  await collections.leads.insertMany([
    lead,
    aLead({ ...of, created_at: at, fields: again, keys: lead.keys, status: 'UNMATCHED' }),
  ]);
  const answer = { excerpt: 'zqanswer', reference: 'zqreference', reason: 'zqtrail' };
  const row = (n: number, more: object) =>
    aRow({ ...of, lead_id, n, created_at: at, settled_at: at, ...answer, ...more });
  await collections.deliveries.insertMany([
    row(1, { state: 'accepted' }),
    row(2, { state: 'rejected' }),
    row(3, { state: 'parked', due_at: new Date(), settled_at: undefined }),
  ]);
  await collections.returns.insertOne({
    ...of,
    _id: `${lead_id}:${buyer_id}:1`,
    lead_id,
    reason: 'other',
    note: 'zqreturn',
    state: 'rejected',
    lead_day: '2026-11-20',
    created_at: at,
    resolved_at: at,
    resolution_note: 'zqresolved',
    requested_by: { kind: 'buyer', id: buyer_id },
  } as never);
  const ping = aPing({
    ...of,
    lead_id,
    state: 'redeemed',
    created_at: at,
    unbid: [{ buyer_id, reason: 'zqping', detail: { value: 'zqping' } }],
  } as never);
  await collections.pings.insertOne(ping);
  await collections.events.insertOne({
    _id: `evt_${lead_id}_1`,
    org_id,
    type: 'lead.accepted',
    lead_id,
    created_at: at,
    recorded_at: at,
    data: { lead_id, fields, status: 'ACCEPTED' },
  } as never);
  await collections.consents.insertOne({
    _id: 'consent-1',
    ...of,
    funnel_id,
    version: 1,
    language: 'en',
    text: 'zqconsent',
    text_hash: 'x',
    purpose: null,
    sellers: [],
    ticked: true,
    at,
    ip: '203.0.113.77',
    user_agent: 'zqconsent',
    page_url: null,
    referrer: null,
    answers: fields,
    is_test: false,
  } as never);
  return { ...made, automation_id, lead_id, delivery_id: `${lead_id}:1`, ping_id: ping._id };
}

async function makeAccount(run: Run) {
  const { id: campaign_id } = await run('create_campaign', { name: 'Solar' });
  const { id: buyer_id } = await run('create_buyer', {
    name: 'West',
    delivery: { url: 'https://buyer.example/leads?token=abc' },
  });
  const { id: supplier_id } = await run('create_supplier', { name: 'Ads' });
  await run('add_buyer_to_campaign', { campaign_id, buyer_id, price: 9 });
  await run('add_supplier_to_campaign', { campaign_id, supplier_id });
  const { id: funnel_id } = await run('create_funnel', {
    template: 'quiz',
    campaign_id,
    supplier_id,
  });
  const { id: automation_id } = await run('create_automation', {
    name: 'Tell us',
    trigger: 'lead.accepted',
    action: 'WEBHOOK',
    target: { url: 'https://own.example/' },
  });
  return { campaign_id, buyer_id, supplier_id, funnel_id, automation_id };
}
