/** A campaign as the account keeps it; plans are compiled from it. */
import type { FilterGroup } from '../../fields/filters.js';
import type { PingSettings } from '../rules/pingSettings.js';
import type { DedupeSettings, DistributionMethod, PlanAuthor } from '../rules/plan.js';
import type { CapLimits } from '../rules/capLimits.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import type { StoredVertical } from '../rules/vertical.js';
import type { Publishable } from './accountDocs.js';

export interface CampaignDoc extends Publishable, Partial<StoredVertical> {
  _id: string;
  org_id: string;
  name: string;
  status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  /** Always this value; absent from campaigns older than the field. */
  campaign_type?: 'LEADS';
  routing_method: 'DIRECT_POST' | 'PING_POST';
  distribution_method: DistributionMethod;
  answer_within_ms: number;
  max_sells: number;
  caps: CapLimits;
  fields: FieldRule[];
  filters: FilterGroup | null;
  dedupe: DedupeSettings;
  /** When `dedupe` last began to find more; absent: never, or before this was recorded. */
  dedupe_since?: Date;
  ping?: PingSettings;
  conversion_window_days?: number | null;
  share_outcomes?: boolean;
  /** The plan that decides new leads. */
  plan_version: number;
  /** The version that the latest change was made from: a second change from the same one is refused. */
  changed_from?: number;
  /** Who made that change: the process that publishes it names this author. */
  changed_by?: PlanAuthor;
  created_at: Date;
}
