import type { SealedValue } from '../../platform/security/sealedValue.js';
import type { PlanAuthor } from '../rules/plan.js';
import type { BuyerLinkTerms } from '../settings/buyerLinkTerms.js';
import type { BuyerSettings } from '../settings/buyerSettings.js';
import type { SupplierSettings } from '../settings/supplierSettings.js';
import type { SupplierLinkTerms } from '../settings/supplierLinkTerms.js';
import type { DeliveryOverrides, DeliverySettings } from '../rules/deliverySettings.js';
import type { BuyerPing } from '../rules/pingSettings.js';
import type { ReturnSettings } from '../buyers/returnsSchema.js';

export interface OrgDoc {
  _id: string;
  name: string;
  time_zone: string;
  currency: string;
  created_at: Date;
}

/** Grows by one with every change of the organization's account; caches are keyed by it. */
export interface VersionDoc {
  _id: string;
  version: number;
}

/** A change that may not be in the plans yet. */
export interface Unpublished {
  /** Names the change: the process that has published it removes this mark, and no later one. */
  id: string;
  at: Date;
  by?: PlanAuthor;
}

/** Documents that plans are compiled from. */
export interface Publishable {
  /** Set by the update that changes it; absent once the plans say the same. */
  unpublished?: Unpublished;
}

export interface SupplierDoc extends SupplierSettings, Publishable {
  _id: string;
  org_id: string;
  name: string;
  /** Who paused it; null or absent: the operator. */
  paused_by?: 'partner' | null;
  api_key: SealedValue;
  /** Until then the previous key is accepted too. */
  previous_key_until?: Date;
  /** It is being deleted: its keys are refused, and its links are removed. */
  removed_at?: Date;
  created_at: Date;
}

export interface BuyerDoc extends BuyerSettings, Publishable {
  _id: string;
  org_id: string;
  name: string;
  /** `partner` where its partner paused it: only then may the partner resume it. */
  paused_by?: 'partner' | null;
  delivery: DeliverySettings;
  /** No delivery has been set yet: leads are accepted without sending. */
  delivery_unset?: boolean;
  webhook_secret: SealedValue;
  /** SHA-256 of the webhook secret, hex: postbacks are checked against it. */
  webhook_secret_hash: string;
  /** The previous webhook secret, which is valid too until then. */
  previous_webhook?: { hash: string; until: Date };
  signing_secret: SealedValue;
  /** Until then the buyer should also accept signatures by the previous secret. */
  previous_signing_until?: Date;
  /** The previous secret, which also signs until then; absent where it was replaced before this was recorded. */
  previous_signing?: { secret: SealedValue; until: Date };
  /** How it is asked for bids; absent: not set. */
  ping?: BuyerPing & { enabled: boolean };
  /** Which leads it may return; absent: not set. */
  returns?: ReturnSettings;
  created_at: Date;
}

export interface CampaignBuyerDoc extends BuyerLinkTerms, Publishable {
  /** `${campaign_id}:${buyer_id}` */
  _id: string;
  org_id: string;
  campaign_id: string;
  buyer_id: string;
  /** As for a buyer. */
  paused_by?: 'partner' | null;
  /** Overrides the buyer's settings; absent or null: none. */
  delivery?: DeliveryOverrides | null;
  /** The change request that last changed its terms; absent: none did. */
  agreed_by?: string;
}

export interface CampaignSupplierDoc extends SupplierLinkTerms, Publishable {
  /** `${campaign_id}:${supplier_id}` */
  _id: string;
  org_id: string;
  campaign_id: string;
  supplier_id: string;
  /** As for a supplier. */
  paused_by?: 'partner' | null;
}

/** The index of lists of campaigns, buyers and suppliers of an organization, by age. */
export const BY_AGE = { org_id: 1, created_at: 1, _id: 1, status: 1 } as const;
