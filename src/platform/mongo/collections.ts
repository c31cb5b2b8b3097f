/** Every collection, its documents and its typed handle. */
import type { Collection, Db } from 'mongodb';
import type { DeliveryOverrides, DeliverySettings } from '../../account/rules/deliverySettings.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { BuyerPing, Margin } from '../../account/rules/pingSettings.js';
import type { Plan, PlanAuthor, SupplierLinkTerms } from '../../account/rules/plan.js';
import type { CapLimits } from '../../account/rules/capLimits.js';
import type { SealedValue } from '../security/sealedValue.js';
import type { Micros } from '../../fields/money.js';
import type { FilterGroup } from '../../fields/filters.js';
import type { ReturnSettings } from '../../account/rules/returnSettings.js';
import type { Schedule } from '../../fields/schedule.js';
import type { Turns } from '../../routing/rules/turns.js';
import type { ZipArea } from '../../fields/zips.js';
import type { AuditDoc, AuditReadDoc } from '../../api/store/auditDocs.js';
import type { AutomationDoc, EventDeliveryDoc } from '../../automations/store/automationDocs.js';
import type { EventWantsDoc } from '../../events/store/eventWantsDoc.js';
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import type { CapDoc } from '../../routing/store/capDocs.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import type { DestinationDoc } from '../../deliveries/store/destinationDoc.js';
import type { AnsweredDoc, ClaimDoc, IdempotencyDoc } from '../../leads/store/intakeDocs.js';
import type { CommandDoc, EventDoc } from '../../events/store/operatorDocs.js';
import type { ApiKeyDoc } from '../../account/store/keyDocs.js';
import type { ChangeDoc } from '../../outcomes/store/outcomeDocs.js';
import type { PingCountDoc, PingDoc } from '../../pings/store/pingDocs.js';
import type { RateDoc, RateLimit } from '../rateLimits/store/rateDoc.js';
import type { ReturnCountDoc, ReturnDoc } from '../../outcomes/store/returnDocs.js';
import type { PingRollupDoc, RollupDoc, RollupStateDoc } from '../../reports/store/rollupDocs.js';
import type {
  SuppressionDoc,
  SuppressionListDoc,
  SuppressionStateDoc,
} from '../../account/store/suppressionDocs.js';
import type { MailRecipientDoc } from '../../account/store/mailRecipients.js';
import type { SpreadsheetDoc } from '../../account/store/spreadsheets.js';
import type { WindowDoc } from '../rateLimits/store/windows.js';

export type { SealedValue } from '../security/sealedValue.js';
export type { AutomationDoc, EventDeliveryDoc } from '../../automations/store/automationDocs.js';
export type { EventWantsDoc } from '../../events/store/eventWantsDoc.js';
export type { CampaignDoc } from '../../account/store/campaignDoc.js';
export type { CapDoc, Drift, StoredHold } from '../../routing/store/capDocs.js';
export type { DeliveryDoc, DeliveryState } from '../../deliveries/store/deliveryDoc.js';
export type { DestinationDoc } from '../../deliveries/store/destinationDoc.js';
export type { ClaimDoc, IdempotencyDoc } from '../../leads/store/intakeDocs.js';
export type {
  ApiKeyDoc,
  KeyAuthor,
  OrgKeyDoc,
  Permission,
  PermissionArea,
  SupplierKeyDoc,
} from '../../account/store/keyDocs.js';
export type { CommandDoc, EventDoc } from '../../events/store/operatorDocs.js';
export type { PingCountDoc, PingDoc } from '../../pings/store/pingDocs.js';
export type { RateDoc, RateLimit } from '../rateLimits/store/rateDoc.js';
export type { SuppressionDoc, SuppressionListDoc } from '../../account/store/suppressionDocs.js';

export interface OrgDoc {
  _id: string;
  name: string;
  time_zone: string;
  currency: string;
  created_at: Date;
}

/** Grows by one with every change of the organisation's account; caches are keyed by it. */
export interface VersionDoc {
  _id: string;
  version: number;
}

/** A change that may not be in the plans yet. */
export interface Unpublished {
  /** Names the change: the process that has published it takes away this mark, and no later one. */
  id: string;
  at: Date;
  by?: PlanAuthor;
}

/** What plans are compiled from. */
export interface Publishable {
  /** Set by the update that changes it; absent once the plans say the same. */
  unpublished?: Unpublished;
}

export interface SupplierDoc extends Publishable {
  _id: string;
  org_id: string;
  name: string;
  status: 'active' | 'paused';
  test_mode: boolean;
  rate_limit: RateLimit;
  /** Of pings; absent: 500 a second, 1,000 for 10 s (contract 5.6). */
  ping_rate_limit?: RateLimit;
  api_key: SealedValue;
  /** Until then the key before it is accepted too. */
  previous_key_until?: Date;
  /** It is being deleted: its keys are refused, and its links go. */
  removed_at?: Date;
  created_at: Date;
}

export interface BuyerDoc extends Publishable {
  _id: string;
  org_id: string;
  name: string;
  /** Where people reach it. */
  email?: string | null;
  phone?: string | null;
  location?: string | null;
  status: 'active' | 'paused';
  test_mode: boolean;
  delivery: DeliverySettings;
  /** Nobody has said yet how leads reach it: they are kept here. */
  delivery_unset?: boolean;
  webhook_secret: SealedValue;
  /** SHA-256 of the webhook secret, hex: what a postback is checked against. */
  webhook_secret_hash: string;
  /** The webhook secret before it, which is taken too until then. */
  previous_webhook?: { hash: string; until: Date };
  signing_secret: SealedValue;
  /** Until then the buyer has been asked to take signatures by the secret before it, too. */
  previous_signing_until?: Date;
  /** That secret, which signs too until then; absent where it was replaced before it was kept. */
  previous_signing?: { secret: SealedValue; until: Date };
  /** Of its postbacks; absent: 100 a second. */
  rate_limit?: RateLimit;
  /** How it is asked for bids; absent: nobody has said. */
  ping?: BuyerPing & { enabled: boolean };
  /** Which leads it may give back; absent: nobody has said. */
  returns?: ReturnSettings;
  created_at: Date;
}

export interface CampaignBuyerDoc extends Publishable {
  /** `${campaign_id}:${buyer_id}` */
  _id: string;
  org_id: string;
  campaign_id: string;
  buyer_id: string;
  status: 'active' | 'paused';
  price: Micros;
  priority: number | null;
  weight: number;
  states: string[];
  zips: ZipArea | null;
  filters: FilterGroup | null;
  schedule: Schedule | null;
  when_closed: 'SKIP' | 'HOLD';
  caps: CapLimits;
  when_unavailable: 'NEXT' | 'WAIT';
  margin?: Margin | null;
  daily_ping_cap?: number | null;
  conversion_price?: Micros | null;
  /** In the place of the buyer's own settings; absent or null: none. */
  delivery?: DeliveryOverrides | null;
}

export interface CampaignSupplierDoc extends SupplierLinkTerms, Publishable {
  /** `${campaign_id}:${supplier_id}` */
  _id: string;
  org_id: string;
  campaign_id: string;
}

/** Whose turn it is among a campaign's equally good buyers. */
export interface TurnsDoc extends Turns {
  /** The campaign's id. */
  _id: string;
}

export interface Collections {
  /** In whose name the account is changed through these; absent: nobody's but the machine's own. */
  author?: PlanAuthor;
  orgs: Collection<OrgDoc>;
  versions: Collection<VersionDoc>;
  apiKeys: Collection<ApiKeyDoc>;
  suppliers: Collection<SupplierDoc>;
  buyers: Collection<BuyerDoc>;
  campaigns: Collection<CampaignDoc>;
  campaignBuyers: Collection<CampaignBuyerDoc>;
  campaignSuppliers: Collection<CampaignSupplierDoc>;
  plans: Collection<Plan>;
  idempotency: Collection<IdempotencyDoc>;
  answered: Collection<AnsweredDoc>;
  claims: Collection<ClaimDoc>;
  caps: Collection<CapDoc>;
  leads: Collection<Lead>;
  deliveries: Collection<DeliveryDoc>;
  destinations: Collection<DestinationDoc>;
  rates: Collection<RateDoc>;
  turns: Collection<TurnsDoc>;
  suppressionLists: Collection<SuppressionListDoc>;
  suppressions: Collection<SuppressionDoc>;
  suppressionState: Collection<SuppressionStateDoc>;
  commands: Collection<CommandDoc>;
  events: Collection<EventDoc>;
  automations: Collection<AutomationDoc>;
  eventWants: Collection<EventWantsDoc>;
  eventDeliveries: Collection<EventDeliveryDoc>;
  audit: Collection<AuditDoc>;
  auditReads: Collection<AuditReadDoc>;
  windows: Collection<WindowDoc>;
  spreadsheets: Collection<SpreadsheetDoc>;
  mailRecipients: Collection<MailRecipientDoc>;
  rollups: Collection<RollupDoc>;
  pingRollups: Collection<PingRollupDoc>;
  rollupState: Collection<RollupStateDoc>;
  pings: Collection<PingDoc>;
  pingCounts: Collection<PingCountDoc>;
  returns: Collection<ReturnDoc>;
  returnCounts: Collection<ReturnCountDoc>;
  outcomes: Collection<ChangeDoc>;
}

export function collections(db: Db): Collections {
  return {
    orgs: db.collection('orgs'),
    versions: db.collection('versions'),
    apiKeys: db.collection('api_keys'),
    suppliers: db.collection('suppliers'),
    buyers: db.collection('buyers'),
    campaigns: db.collection('campaigns'),
    campaignBuyers: db.collection('campaign_buyers'),
    campaignSuppliers: db.collection('campaign_suppliers'),
    plans: db.collection('plans'),
    idempotency: db.collection('idempotency'),
    answered: db.collection('answered'),
    claims: db.collection('claims'),
    caps: db.collection('caps'),
    leads: db.collection('leads'),
    deliveries: db.collection('deliveries'),
    destinations: db.collection('destinations'),
    rates: db.collection('rates'),
    turns: db.collection('turns'),
    suppressionLists: db.collection('suppression_lists'),
    suppressions: db.collection('suppressions'),
    suppressionState: db.collection('suppression_state'),
    commands: db.collection('commands'),
    events: db.collection('events'),
    automations: db.collection('automations'),
    eventWants: db.collection('event_wants'),
    eventDeliveries: db.collection('event_deliveries'),
    audit: db.collection('audit'),
    auditReads: db.collection('audit_reads'),
    windows: db.collection('windows'),
    spreadsheets: db.collection('spreadsheets'),
    mailRecipients: db.collection('mail_recipients'),
    rollups: db.collection('rollups'),
    pingRollups: db.collection('ping_rollups'),
    rollupState: db.collection('rollup_state'),
    pings: db.collection('pings'),
    pingCounts: db.collection('ping_counts'),
    returns: db.collection('returns'),
    returnCounts: db.collection('return_counts'),
    outcomes: db.collection('outcomes'),
  };
}
