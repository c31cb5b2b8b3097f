/** Every index, each with the query it serves. Ids serve all other queries. */
import { EVENT_INDEXES } from '../automations/store/eventIndexes.js';
import { EVENT_PAGE_INDEXES } from '../automations/store/eventPages.js';
import type { IndexRow } from '../platform/mongo/indexRow.js';
import { REQUEST_INDEXES } from '../leads/store/requestIndexes.js';
import { LEAD_INDEXES } from '../leads/store/leadIndexes.js';
import { OUTCOME_INDEXES } from '../outcomes/store/outcomeIndexes.js';
import { PING_INDEXES } from '../pings/store/pingIndexes.js';
import { FUNNEL_INDEXES } from '../funnels/store/funnelIndexes.js';
import { PORTAL_INDEXES } from '../portal/store/portalIndexes.js';
import { RETURN_INDEXES } from '../outcomes/store/returnIndexes.js';
import { BY_AGE } from '../account/store/accountDocs.js';
import { RECIPIENT_INDEXES, SPREADSHEET_INDEXES } from '../account/store/spreadsheetIndexes.js';
import { PEOPLE_INDEXES } from '../people/store/peopleIndexes.js';
import { REPORT_INDEXES } from '../reports/store/reportIndexes.js';
import {
  DELIVERIES_BY_DAY,
  DELIVERIES_OF_BUYER,
  IS_TEST,
  LISTED_STATES,
  TESTS_OF_BUYER,
} from '../deliveries/store/deliveryIndexes.js';

const DAY_SECONDS = 86_400;
const KEPT_SECONDS = 30 * DAY_SECONDS;

/** Rows that wait for a buyer; finished ones leave the index. */
const WAITING = { partialFilterExpression: { state: { $in: ['parked', 'unknown'] } } };

/** The collections that plans are compiled from. */
const PLAN_SOURCES = [
  'campaigns',
  'buyers',
  'suppliers',
  'campaign_buyers',
  'campaign_suppliers',
  'suppression_lists',
];

export const INDEXES: readonly IndexRow[] = [
  ...LEAD_INDEXES,
  ...REQUEST_INDEXES,
  ...REPORT_INDEXES,
  ...PING_INDEXES,
  ...EVENT_INDEXES,
  ...EVENT_PAGE_INDEXES,
  ...RETURN_INDEXES,
  ...OUTCOME_INDEXES,
  ...PORTAL_INDEXES,
  ...FUNNEL_INDEXES,
  ...PEOPLE_INDEXES,
  {
    collection: 'deliveries',
    key: { state: 1, buyer_id: 1, created_at: -1, due_at: 1, expires_at: 1 },
    options: WAITING,
    serves: "a buyer's due rows, newest first, without reading those that are not due",
  },
  {
    collection: 'deliveries',
    key: { state: 1, buyer_id: 1, due_at: 1 },
    options: WAITING,
    serves: "when a buyer's next row may be sent; reconcile: the same of every buyer",
  },
  {
    collection: 'deliveries',
    key: { state: 1, buyer_id: 1, expires_at: 1 },
    options: WAITING,
    serves: "a buyer's rows past their age limit; reconcile: the next to expire of every buyer",
  },
  {
    collection: 'deliveries',
    key: DELIVERIES_BY_DAY,
    options: { partialFilterExpression: { 'reserved.day': { $exists: true } } },
    serves: 'reconcile: the expected counters of a day',
  },
  {
    collection: 'deliveries',
    key: DELIVERIES_OF_BUYER,
    options: { partialFilterExpression: { state: { $in: [...LISTED_STATES] } } },
    serves: "a buyer's portal: its deliveries of a state, newest first, and how many of a day",
  },
  {
    collection: 'deliveries',
    key: TESTS_OF_BUYER,
    options: { partialFilterExpression: IS_TEST },
    serves: "a buyer's portal: its deliveries of test leads, which its rates leave out",
  },
  {
    collection: 'deliveries',
    key: { unbooked: 1, settled_at: 1 },
    options: { partialFilterExpression: { unbooked: true } },
    serves: 'reconcile: sales confirmed after their request was abandoned',
  },
  {
    collection: 'destinations',
    key: { 'events.created_at': 1 },
    options: { sparse: true },
    serves: 'reconcile: events that did not reach the outbox',
  },
  ...['audit', 'audit_reads'].flatMap((collection): IndexRow[] => [
    {
      collection,
      key: { org_id: 1, at: -1, _id: -1 },
      serves: 'audit log of an organization, newest first',
    },
    {
      collection,
      key: { org_id: 1, action: 1, at: -1, _id: -1 },
      serves: 'the same of one action',
    },
    {
      collection,
      key: { org_id: 1, 'party.kind': 1, at: -1, _id: -1 },
      options: { partialFilterExpression: { 'party.kind': { $exists: true } } },
      serves: 'the same in portals of buyers or of suppliers',
    },
    {
      collection,
      key: { org_id: 1, 'party.id': 1, at: -1, _id: -1 },
      options: { partialFilterExpression: { 'party.id': { $exists: true } } },
      serves: 'the same in the portal of one partner',
    },
  ]),
  {
    collection: 'audit_reads',
    key: { at: 1 },
    options: { expireAfterSeconds: 365 * DAY_SECONDS },
    serves: 'deleting reads after a year',
  },
  {
    collection: 'audit',
    key: { at: 1 },
    options: { expireAfterSeconds: 730 * DAY_SECONDS },
    serves: 'deleting entries after two years',
  },
  {
    collection: 'events',
    key: { org_id: 1, created_at: -1 },
    serves: "an organization's events, newest first",
  },
  {
    collection: 'events',
    key: { created_at: 1 },
    options: { expireAfterSeconds: KEPT_SECONDS },
    serves: 'deleting events after 30 days; the newest of all',
  },
  {
    collection: 'commands',
    key: { at: 1 },
    options: { expireAfterSeconds: KEPT_SECONDS },
    serves: "deleting operators' commands after 30 days",
  },
  {
    collection: 'caps',
    key: { recount_at: 1 },
    serves: 'reconcile: the counters that are to be compared with the rows',
  },
  {
    collection: 'plans',
    key: { campaign_id: 1, version: -1 },
    serves: 'publishing: the latest plan of a campaign',
  },
  {
    collection: 'api_keys',
    key: { org_id: 1, kind: 1, supplier_id: 1 },
    serves: 'revoking the keys of a supplier',
  },
  {
    collection: 'campaign_buyers',
    key: { campaign_id: 1 },
    serves: 'compiling a plan: the buyers of a campaign',
  },
  {
    collection: 'campaign_buyers',
    key: { buyer_id: 1 },
    serves: 'publishing a change of a buyer to its campaigns',
  },
  {
    collection: 'campaign_buyers',
    key: { buyer_id: 1, campaign_id: 1 },
    options: { partialFilterExpression: { delivery: { $type: 'object' } } },
    serves: 'the campaigns that override the delivery of a buyer',
  },
  {
    collection: 'campaign_suppliers',
    key: { campaign_id: 1 },
    serves: 'compiling a plan: the suppliers of a campaign',
  },
  {
    collection: 'campaign_suppliers',
    key: { supplier_id: 1 },
    serves: 'publishing a change of a supplier to its campaigns',
  },
  {
    collection: 'suppression_lists',
    key: { org_id: 1, target_id: 1, name: 1 },
    options: { unique: true },
    serves: 'compiling a plan: its suppression lists; names are unique per target',
  },
  {
    collection: 'buyers',
    key: { webhook_secret_hash: 1 },
    serves: 'postbacks: the buyer whose secret it is',
  },
  {
    collection: 'buyers',
    key: { 'previous_webhook.hash': 1 },
    options: { sparse: true },
    serves: 'postbacks: the same for a recently replaced secret',
  },
  {
    collection: 'api_keys',
    key: { org_id: 1, kind: 1, created_at: 1, id: 1 },
    serves: "an organization's keys, oldest first",
  },
  {
    collection: 'api_keys',
    key: { id: 1 },
    options: { sparse: true },
    serves: 'the key of an organization that has this id',
  },
  {
    collection: 'suppression_lists',
    key: { org_id: 1, created_at: 1, _id: 1 },
    serves: "an organization's lists, oldest first",
  },
  {
    collection: 'automations',
    key: { org_id: 1, created_at: 1, _id: 1, status: 1, trigger: 1, campaign_id: 1 },
    serves: 'those of an organization, oldest first; of one status, trigger or campaign',
  },
  ...PLAN_SOURCES.map((collection) => ({
    collection,
    key: { 'unpublished.at': 1 },
    options: { sparse: true },
    serves: 'reconcile: changes that may not be in the plans; a published one leaves the index',
  })),
  {
    collection: 'campaigns',
    key: { org_id: 1, vertical_key: 1, created_at: 1, _id: 1, status: 1 },
    serves: 'those of a vertical, oldest first; of one status, without reading the others',
  },
  ...SPREADSHEET_INDEXES,
  ...RECIPIENT_INDEXES,
  ...['campaigns', 'buyers', 'suppliers'].map((collection) => ({
    collection,
    key: BY_AGE,
    serves: 'those of an organization, oldest first; of one status, without reading the others',
  })),
  ...['campaigns', 'buyers', 'suppliers', 'automations'].map((collection) => ({
    collection,
    key: { org_id: 1, name: 1 },
    options: { unique: true },
    serves: 'names are unique per organization and kind; publishing to all campaigns',
  })),
];
