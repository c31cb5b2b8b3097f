/** Every index, each with the query it serves. Ids serve all other queries. */
import { ALERT_INDEXES } from '../alerts/store/alertIndexes.js';
import { EVENT_INDEXES } from '../automations/store/eventIndexes.js';
import { index, type IndexRow } from '../platform/mongo/indexRow.js';
import { REQUEST_INDEXES } from '../leads/store/requestIndexes.js';
import { LEAD_INDEXES } from '../leads/store/leadIndexes.js';
import { OUTCOME_INDEXES } from '../outcomes/store/outcomeIndexes.js';
import { PING_INDEXES } from '../pings/store/pings.js';
import { FUNNEL_INDEXES } from '../funnels/store/funnelIndexes.js';
import { PORTAL_INDEXES } from '../portal/store/portalIndexes.js';
import { BY_AGE } from '../account/store/accountDocs.js';
import { RECIPIENT_INDEXES } from '../account/store/mailRecipients.js';
import { SAVED_VIEW_INDEXES } from '../account/store/savedViews.js';
import { SPREADSHEET_INDEXES } from '../account/store/spreadsheets.js';
import { PEOPLE_INDEXES } from '../people/store/peopleIndexes.js';
import { REPORT_INDEXES } from '../reports/store/reportIndexes.js';
import {
  BREAKERS,
  DELIVERIES_BY_DAY,
  DELIVERIES_OF_BUYER,
  IS_BROKEN,
  IS_TEST,
  LISTED_STATES,
  TESTS_OF_BUYER,
  WAITING_BY_BUYER,
  WAITING_OF_ORG,
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
  ...ALERT_INDEXES,
  ...OUTCOME_INDEXES,
  ...PORTAL_INDEXES,
  ...FUNNEL_INDEXES,
  ...PEOPLE_INDEXES,
  index(
    'deliveries',
    WAITING_BY_BUYER,
    "a buyer's due rows, newest first, without reading those that are not due; the queues of every buyer",
    WAITING,
  ),
  index(
    'deliveries',
    WAITING_OF_ORG,
    "an organization's waiting rows, oldest first; those of a buyer, campaign or supplier, without reading the others",
    WAITING,
  ),
  index(
    'deliveries',
    { state: 1, buyer_id: 1, due_at: 1 },
    "when a buyer's next row may be sent; reconcile: the same of every buyer",
    WAITING,
  ),
  index(
    'deliveries',
    { state: 1, buyer_id: 1, expires_at: 1 },
    "a buyer's rows past their age limit; reconcile: the next to expire of every buyer",
    WAITING,
  ),
  index('deliveries', DELIVERIES_BY_DAY, 'reconcile: the expected counters of a day', {
    partialFilterExpression: { 'reserved.day': { $exists: true } },
  }),
  index(
    'deliveries',
    DELIVERIES_OF_BUYER,
    "a buyer's portal: its deliveries of a state, newest first, and how many of a day",
    { partialFilterExpression: { state: { $in: [...LISTED_STATES] } } },
  ),
  index(
    'deliveries',
    TESTS_OF_BUYER,
    "a buyer's portal: its deliveries of test leads, which its rates leave out",
    { partialFilterExpression: IS_TEST },
  ),
  index(
    'deliveries',
    { unbooked: 1, settled_at: 1 },
    'reconcile: sales confirmed after their request was abandoned',
    { partialFilterExpression: { unbooked: true } },
  ),
  index('destinations', BREAKERS, 'breakers that are not closed; of an organization', {
    partialFilterExpression: IS_BROKEN,
  }),
  index(
    'destinations',
    { 'events.created_at': 1 },
    'reconcile: events that did not reach the outbox',
    { sparse: true },
  ),
  ...['audit', 'audit_reads'].flatMap((collection): IndexRow[] => [
    index(collection, { org_id: 1, at: -1, _id: -1 }, 'audit log of an organization, newest first'),
    index(collection, { org_id: 1, action: 1, at: -1, _id: -1 }, 'the same of one action'),
    index(
      collection,
      { org_id: 1, 'party.kind': 1, at: -1, _id: -1 },
      'the same in portals of buyers or of suppliers',
      { partialFilterExpression: { 'party.kind': { $exists: true } } },
    ),
    index(
      collection,
      { org_id: 1, 'party.id': 1, at: -1, _id: -1 },
      'the same in the portal of one partner',
      { partialFilterExpression: { 'party.id': { $exists: true } } },
    ),
    index(collection, { org_id: 1, 'person.id': 1, at: -1, _id: -1 }, 'the same by one person', {
      partialFilterExpression: { 'person.id': { $exists: true } },
    }),
    index(collection, { org_id: 1, key_id: 1, at: -1, _id: -1 }, 'the same by one key', {
      partialFilterExpression: { key_id: { $exists: true } },
    }),
    index(collection, { org_id: 1, records: 1, at: -1, _id: -1 }, 'the same of one record', {
      partialFilterExpression: { records: { $exists: true } },
    }),
  ]),
  index('audit_reads', { at: 1 }, 'deleting reads after a year', {
    expireAfterSeconds: 365 * DAY_SECONDS,
  }),
  index('audit', { at: 1 }, 'deleting entries after two years', {
    expireAfterSeconds: 730 * DAY_SECONDS,
  }),
  index('events', { org_id: 1, created_at: -1 }, "an organization's events, newest first"),
  index('events', { created_at: 1 }, 'deleting events after 30 days; the newest of all', {
    expireAfterSeconds: KEPT_SECONDS,
  }),
  index('commands', { at: 1 }, "deleting operators' commands after 30 days", {
    expireAfterSeconds: KEPT_SECONDS,
  }),
  index('caps', { recount_at: 1 }, 'reconcile: the counters that are to be compared with the rows'),
  index('plans', { campaign_id: 1, version: -1 }, 'publishing: the latest plan of a campaign'),
  index('api_keys', { org_id: 1, kind: 1, supplier_id: 1 }, 'revoking the keys of a supplier'),
  index('campaign_buyers', { campaign_id: 1 }, 'compiling a plan: the buyers of a campaign'),
  index('campaign_buyers', { buyer_id: 1 }, 'publishing a change of a buyer to its campaigns'),
  index(
    'campaign_buyers',
    { buyer_id: 1, campaign_id: 1 },
    'the campaigns that override the delivery of a buyer',
    { partialFilterExpression: { delivery: { $type: 'object' } } },
  ),
  index('campaign_suppliers', { campaign_id: 1 }, 'compiling a plan: the suppliers of a campaign'),
  index(
    'campaign_suppliers',
    { supplier_id: 1 },
    'publishing a change of a supplier to its campaigns',
  ),
  index(
    'suppression_lists',
    { org_id: 1, target_id: 1, name: 1 },
    'compiling a plan: its suppression lists; names are unique per target',
    { unique: true },
  ),
  index('buyers', { webhook_secret_hash: 1 }, 'postbacks: the buyer whose secret it is'),
  index(
    'buyers',
    { 'previous_webhook.hash': 1 },
    'postbacks: the same for a recently replaced secret',
    { sparse: true },
  ),
  index(
    'api_keys',
    { org_id: 1, kind: 1, created_at: 1, id: 1 },
    "an organization's keys, oldest first",
  ),
  index('api_keys', { id: 1 }, 'the key of an organization that has this id', { sparse: true }),
  index(
    'suppression_lists',
    { org_id: 1, created_at: 1, _id: 1 },
    "an organization's lists, oldest first",
  ),
  index(
    'suppression_imports',
    { updated_at: 1 },
    'reconcile: imports that nobody has continued for a week; one that is done leaves the index',
    { partialFilterExpression: { state: { $in: ['open', 'finishing', 'dropped'] } } },
  ),
  index('suppression_imports', { forget_at: 1 }, 'deleting the records of imports that are done', {
    expireAfterSeconds: 0,
  }),
  index(
    'automations',
    { org_id: 1, created_at: 1, _id: 1, status: 1, trigger: 1, campaign_id: 1 },
    'those of an organization, oldest first; of one status, trigger or campaign',
  ),
  index('orgs', { 'moving.at': 1 }, 'reconcile: accounts that move to another time zone', {
    sparse: true,
  }),
  ...PLAN_SOURCES.map((collection) =>
    index(
      collection,
      { 'unpublished.at': 1 },
      'reconcile: changes that may not be in the plans; a published one leaves the index',
      { sparse: true },
    ),
  ),
  index(
    'campaigns',
    { org_id: 1, vertical_key: 1, created_at: 1, _id: 1, status: 1 },
    'those of a vertical, oldest first; of one status, without reading the others',
  ),
  ...SPREADSHEET_INDEXES,
  ...RECIPIENT_INDEXES,
  ...SAVED_VIEW_INDEXES,
  ...['campaigns', 'buyers', 'suppliers'].map((collection) =>
    index(
      collection,
      BY_AGE,
      'those of an organization, oldest first; of one status, without reading the others',
    ),
  ),
  ...['campaigns', 'buyers', 'suppliers', 'automations'].map((collection) =>
    index(
      collection,
      { org_id: 1, name: 1 },
      'names are unique per organization and kind; publishing to all campaigns',
      { unique: true },
    ),
  ),
];
