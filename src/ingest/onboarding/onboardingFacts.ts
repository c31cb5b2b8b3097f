/** What the steps of setting up a campaign are judged by, and what a step is. */
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import type { BuyerDoc, SupplierDoc } from '../../account/store/accountDocs.js';

export interface LinkedBuyer {
  id: string;
  name: string;
  /** Buyer and link are active. */
  active: boolean;
  test_mode: boolean;
  /** Somebody has said how leads reach it. */
  delivery_set: boolean;
  price: number;
  /** It has a ping of its own: it is asked for a bid where a campaign takes its leads by ping-post. */
  is_asked: boolean;
}

export interface LinkedSupplier {
  id: string;
  name: string;
  active: boolean;
  test_mode: boolean;
  has_key: boolean;
  /** The terms say what its leads cost, if only that they cost nothing. */
  cost_set: boolean;
}

type Named = Pick<BuyerDoc | SupplierDoc, '_id' | 'name'>;

export interface CampaignFacts {
  campaign: Pick<CampaignDoc, '_id' | 'name' | 'status' | 'routing_method'> & { fields: number };
  buyers: LinkedBuyer[];
  suppliers: LinkedSupplier[];
  /** A test lead was sold. */
  tested: boolean;
  /** Any of the organization, to be linked; null: there is none. */
  anyBuyer: Named | null;
  anySupplier: Named | null;
}

export interface Step {
  id: string;
  title: string;
  done: boolean;
  /** Without it no live lead is sold; else it is advice. */
  required: boolean;
  detail: string;
  /** What would do it; names, prices and addresses in it are examples. */
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
