/** The facts that decide the steps of setting up a campaign, and the shape of a step. */
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import type { BuyerDoc, SupplierDoc } from '../../account/store/accountDocs.js';

export interface LinkedBuyer {
  id: string;
  name: string;
  /** Buyer and link are active. */
  active: boolean;
  test_mode: boolean;
  /** A delivery has been set. */
  delivery_set: boolean;
  price: number;
  /** It has a ping of its own: a ping-post campaign asks it for a bid. */
  is_asked: boolean;
}

export interface LinkedSupplier {
  id: string;
  name: string;
  active: boolean;
  test_mode: boolean;
  has_key: boolean;
  /** The terms set the cost of its leads, even if it is zero. */
  cost_set: boolean;
}

type Named = Pick<BuyerDoc | SupplierDoc, '_id' | 'name'>;

export interface CampaignFacts {
  campaign: Pick<CampaignDoc, '_id' | 'name' | 'status' | 'routing_method'> & { fields: number };
  buyers: LinkedBuyer[];
  suppliers: LinkedSupplier[];
  /** A test lead was sold. */
  tested: boolean;
  /** Any buyer of the organization that could be linked; null: there is none. */
  anyBuyer: Named | null;
  anySupplier: Named | null;
}

export interface Step {
  id: string;
  title: string;
  done: boolean;
  /** Without it no live lead is sold; false: it is advice. */
  required: boolean;
  detail: string;
  /** The action that completes it; names, prices and addresses in it are examples. */
  action: { name: string; input: Record<string, unknown> } | null;
}

export type Campaign = CampaignFacts['campaign'];
type Mend = Step['action'];

export const step = (id: string, title: string, required: boolean) => ({
  yes: (detail: string): Step => ({ id, title, required, done: true, detail, action: null }),
  no: (detail: string, action: Mend): Step => ({
    id,
    title,
    required,
    done: false,
    detail,
    action,
  }),
});

export const isLive = ({ active, test_mode }: { active: boolean; test_mode: boolean }): boolean =>
  active && !test_mode;

const SHOWN = 5;

export function namesOf(records: readonly { name: string }[]): string {
  const more = records.length - SHOWN;
  const names = records.slice(0, SHOWN).map(({ name }) => name);
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
