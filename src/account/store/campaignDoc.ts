/** A campaign as the account keeps it; plans are compiled from it. */
import type { FieldRule } from '../../fields/fieldRule.js';
import type { PingSettings } from '../rules/pingSettings.js';
import type { PlanAuthor } from '../rules/plan.js';
import type { CampaignSettings } from '../settings/campaignSettings.js';
import type { Publishable } from './accountDocs.js';

export interface CampaignDoc extends CampaignSettings, Publishable {
  _id: string;
  org_id: string;
  name: string;
  fields: FieldRule[];
  /** Its vertical in lower case: lists are filtered by it. */
  vertical_key?: string | null;
  /** When `dedupe` last began to find more; absent: never, or before this was recorded. */
  dedupe_since?: Date;
  ping?: PingSettings;
  /** The plan that decides new leads. */
  plan_version: number;
  /** The version that the latest change was made from: a second change from the same one is refused. */
  changed_from?: number;
  /** Who made that change: the process that publishes it names this author. */
  changed_by?: PlanAuthor;
  created_at: Date;
}
