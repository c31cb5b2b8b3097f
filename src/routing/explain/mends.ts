/** What a person can change now so that such a lead is sold: of the reasons of a past lead those that still hold. */
import { limitsOn, type LimitKey } from '../../account/rules/capLimits.js';
import type { BuyerTerms, Plan } from '../../account/rules/plan.js';
import { windowKeys } from '../../fields/windowKeys.js';
import type { WaitCommand } from '../rules/whyWaiting.js';
import type { BuyerExplanation } from './explainBuyers.js';
import { shown, type Subject } from './explainWords.js';
import { decisiveReason, passedOverAt, shortReason, type Mend } from './shortReasons.js';

/** A delivery of the lead that waits, and the commands that it accepts. */
export interface WaitingDelivery {
  id: string;
  buyer_id: string;
  name: string;
  commands: readonly WaitCommand[];
}

export interface MendFacts {
  buyers: readonly BuyerExplanation[];
  waiting: readonly WaitingDelivery[];
  /** The campaign as it is now; undefined: it is gone. */
  current: Plan | undefined;
  now: Date;
}

export interface FoundMend {
  mend: Mend;
  /** What the button says. */
  text: string;
  buyer_id?: string;
  delivery_id?: string;
  /** The limit that was full, such as `daily_cap`; of what is paused: `buyer` or `link`. */
  setting?: string;
}

/** How many are offered. */
const MENDS_MAX = 3;

export function findMends(subject: Subject, facts: MendFacts): FoundMend[] {
  const waiting = facts.waiting.flatMap(mendOfWaiting);
  if (waiting.length > 0 || subject.lead.sales.length > 0) return waiting.slice(0, MENDS_MAX);
  const decisive = decisiveReason(subject);
  if (decisive) {
    const mend = decisive.short?.mend;
    return mend && facts.current ? [{ mend, text: TEXTS[mend](''), setting: decisive.limit }] : [];
  }
  if (facts.current?.buyers.length === 0) return [{ mend: 'add_buyer', text: 'Add a buyer' }];
  return facts.buyers.flatMap((buyer) => mendOfBuyer(buyer, subject, facts)).slice(0, MENDS_MAX);
}

function mendOfWaiting({ id, buyer_id, name, commands }: WaitingDelivery): FoundMend[] {
  const mend = (['resolve', 'retry'] as const).find((one) => commands.includes(one));
  return mend ? [{ mend, text: TEXTS[mend](name), buyer_id, delivery_id: id }] : [];
}

function mendOfBuyer(
  buyer: BuyerExplanation,
  subject: Subject,
  { current, now }: MendFacts,
): FoundMend[] {
  const terms = current?.buyers.find(({ buyer_id }) => buyer_id === buyer.buyer_id);
  const { mend } = shortReason(buyer, passedOverAt(buyer.buyer_id, subject), subject);
  // Nothing of it waits: there is nothing to send again.
  if (!current || !terms || !mend || mend === 'retry' || mend === 'resolve') return [];
  const today = windowKeys(now, current.time_zone).day;
  if (!(HOLDS[mend]?.(terms, buyer, today) ?? true)) return [];
  const { buyer_id } = buyer;
  return [
    { mend, text: TEXTS[mend](terms.name), buyer_id, setting: settingOf(mend, terms, buyer) },
  ];
}

function settingOf(
  mend: Mend,
  { link_status }: BuyerTerms,
  { detail }: BuyerExplanation,
): string | undefined {
  if (mend === 'raise_cap') return shown(detail?.limit);
  if (mend === 'resume') return link_status === 'paused' ? 'link' : 'buyer';
  return undefined;
}

/** Whether the reason still holds with these terms. */
const HOLDS: Partial<
  Record<Mend, (terms: BuyerTerms, buyer: BuyerExplanation, today: string) => boolean>
> = {
  resume: ({ status }) => status === 'paused',
  end_test_mode: ({ test_mode }) => test_mode,
  raise_cap: ({ caps }, { detail }, today) => {
    const limit = limitsOn(caps, today)[shown(detail?.limit) as LimitKey];
    return limit != null && limit <= Number(detail?.allowed);
  },
  edit_filters: ({ filters }) => filters !== null,
  edit_weight: ({ weight }) => weight === 0,
};

const TEXTS: Record<Mend, (buyer: string) => string> = {
  retry: (buyer) => `Send to ${buyer} now`,
  resolve: (buyer) => `Record the answer of ${buyer}`,
  raise_cap: (buyer) => `Raise the cap of ${buyer}`,
  raise_supplier_cap: () => 'Raise the cap of the supplier',
  raise_campaign_cap: () => 'Raise the cap of the campaign',
  resume: (buyer) => `Resume ${buyer}`,
  end_test_mode: (buyer) => `End the test mode of ${buyer}`,
  edit_filters: (buyer) => `Edit the filters of ${buyer}`,
  edit_area: (buyer) => `Edit the area of ${buyer}`,
  edit_schedule: (buyer) => `Edit the hours of ${buyer}`,
  edit_price: (buyer) => `Edit the price of ${buyer}`,
  edit_weight: (buyer) => `Edit the weight of ${buyer}`,
  add_buyer: () => 'Add a buyer',
  edit_campaign_filters: () => 'Edit the filters of the campaign',
};
