/** The documents of funnels. */
import type { Binary } from 'mongodb';
import type { Fields } from '../../fields/values.js';
import type { FunnelDefinition } from '../rules/definition.js';
import type { TemplateName } from '../rules/templates/names.js';
import type { SuspectReason } from '../../leads/rules/origin.js';

export const FUNNEL_STATUSES = ['draft', 'published', 'unpublished'] as const;
export type FunnelStatus = (typeof FUNNEL_STATUSES)[number];

export interface FunnelDoc {
  /** `fun_…` */
  _id: string;
  org_id: string;
  name: string;
  template: TemplateName;
  campaign_id: string;
  supplier_id: string;
  /** Its address: `/f/{slug}`. Unique among all funnels of the installation. */
  slug: string;
  status: FunnelStatus;
  /** The draft. Its pictures are names of assets: `asset:{sha256}`. */
  definition: FunnelDefinition;
  /** Grows by one with every change of the draft. */
  draft_version: number;
  /** The version that visitors see, or saw last; null: none was published yet. */
  published_version: number | null;
  /** The draft that it was published from. */
  published_draft: number | null;
  published_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** As visitors see it, or saw it: never changed. */
export interface FunnelVersionDoc {
  /** `{funnel_id}:{version}` */
  _id: string;
  org_id: string;
  funnel_id: string;
  version: number;
  campaign_id: string;
  supplier_id: string;
  definition: FunnelDefinition;
  /** The mapping of the campaign that it was checked against: the plan's version. */
  plan_version: number;
  published_at: Date;
  published_by: { kind: string; id: string; name: string };
}

/** A picture, under the hash of its bytes. */
export interface FunnelAssetDoc {
  /** `{org_id}:{sha256}` */
  _id: string;
  org_id: string;
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Binary;
  created_at: Date;
}

/**
 * What a visitor agreed to, and how: written before the lead is submitted, never changed. A record whose lead was refused
 * or never made stays, as evidence of what was asked.
 */
export interface ConsentDoc {
  /**
   * The nonce of the page, which is also the Idempotency-Key of its lead. For answers that were changed after the
   * service could not accept the first: `{nonce}.{hash of the answers}`.
   */
  _id: string;
  org_id: string;
  funnel_id: string;
  version: number;
  campaign_id: string;
  supplier_id: string;
  language: string;
  text: string;
  /** SHA-256 of the text, hex. */
  text_hash: string;
  purpose: string | null;
  sellers: string[];
  ticked: true;
  at: Date;
  ip: string;
  user_agent: string | null;
  /** The address of the page as the browser names it; of an embedded one, the host page as it claims to be. */
  page_url: string | null;
  referrer: string | null;
  /** Every submitted answer. */
  answers: Fields;
  trustedform_cert_url?: string;
  jornaya_leadid?: string;
  is_test: boolean;
  /** Of a ping-post campaign: the ping that the lead redeems. */
  ping_token?: string;
  /** Set when the lead is known. */
  lead_id?: string;
}

/** Counts of a day: no personal data. */
export interface FunnelCountDoc {
  /** `{funnel_id}:{day}:{version}:{source}` */
  _id: string;
  org_id: string;
  funnel_id: string;
  /** YYYY-MM-DD in the account's time zone. */
  day: string;
  version: number;
  /** `utm_source` of the page, else the host that the visitor came from, else `direct`; at most 60 characters. */
  source: string;
  views: number;
  starts: number;
  submits: number;
  /** By step: how often it was shown, and how often the visitor went on from it. */
  steps: Record<string, { shown: number; done: number }>;
  suspects: Partial<Record<SuspectReason, number>>;
}
