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
  /** It moves to another time zone, or has just done so: until `reconcile` has made the last pass. */
  moving?: {
    at: Date;
    from: string;
    to: string;
    by?: PlanAuthor;
    /** When `reconcile` last failed to finish it. */
    tried_at?: Date;
  };
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

/** The fields that buyers and suppliers share. */
export interface PartnerDoc extends Publishable {
  _id: string;
  org_id: string;
  name: string;
  /** `partner` where it paused itself: only then may it resume itself. Null or absent: the operator. */
  paused_by?: 'partner' | null;
  created_at: Date;
}

export interface SupplierDoc extends SupplierSettings, PartnerDoc {
  api_key: SealedValue;
  /** Until then the previous key is accepted too. */
  previous_key_until?: Date;
  /** It is being deleted: its keys are refused, and its links are removed. */
  removed_at?: Date;
}

export interface BuyerDoc extends BuyerSettings, PartnerDoc {
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
  /** Since when it is archived: paused, and left out of lists. Null or absent: it is not. */
  archived_at?: Date | null;
}

/** The fields that links of buyers and suppliers to a campaign share. */
export interface LinkDoc extends Publishable {
  /** `${campaign_id}:` and the id of the buyer or supplier. */
  _id: string;
  org_id: string;
  campaign_id: string;
  /** As for a partner. */
  paused_by?: 'partner' | null;
}

export interface CampaignBuyerDoc extends BuyerLinkTerms, LinkDoc {
  buyer_id: string;
  /** Overrides the buyer's settings; absent or null: none. */
  delivery?: DeliveryOverrides | null;
  /** The change request that last changed its terms; absent: none did. */
  agreed_by?: string;
}

export interface CampaignSupplierDoc extends SupplierLinkTerms, LinkDoc {
  supplier_id: string;
}

/** The index of lists of campaigns, buyers and suppliers of an organization, by age. */
export const BY_AGE = { org_id: 1, created_at: 1, _id: 1, status: 1 } as const;
