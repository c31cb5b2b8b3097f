/** Reasons why leads were not sold, in words. */
import type { LossReason } from '../../leads/rules/loss.js';

/** What a reason is about: the name of a buyer, or a field. */
interface About {
  buyer: string;
  field: string | null;
}

type Said = string | ((about: About) => string);

const WORDS: Record<LossReason, Said> = {
  suspected_bot: 'Suspected bot',
  filtered: ({ field }) => (field === null ? 'Campaign filters' : `Campaign filter on ${field}`),
  suppressed: ({ field }) =>
    field === null ? 'On a suppression list' : `On a suppression list by ${field}`,
  supplier_cap: "The supplier's cap was full",
  buyer_rejected: ({ buyer }) => `${buyer} rejected it`,
  buyer_unanswered: ({ buyer }) => `${buyer} did not answer`,
  buyer_not_reached: ({ buyer }) => `${buyer} could not be reached`,
  max_age: ({ buyer }) => `It waited too long for ${buyer}`,
  dropped: 'An operator ended its waiting',
  buyer_cap: ({ buyer }) => `The cap of ${buyer} was full`,
  campaign_cap: "The campaign's cap was full",
  buyer_closed: ({ buyer }) => `${buyer} was closed`,
  no_bid: 'No buyer bid enough',
  buyer_suppressed: 'On the suppression lists of the buyers',
  buyer_filters: 'The filters of the buyers left it out',
  buyer_area: 'Outside the area of every buyer',
  buyer_paused: ({ buyer }) => `${buyer} was paused, or takes test leads only`,
  original_undecided: 'A repeat of a lead that was not decided yet',
  no_buyer: 'The campaign had no buyer for it',
};

/** @param buyer its name; undefined: there is none, or it is gone */
export function lossText(
  reason: LossReason | 'duplicate' | 'unrecorded',
  { buyer, field }: { buyer?: string; field: string | null },
): string {
  if (reason === 'duplicate') return 'Repeats another lead';
  if (reason === 'unrecorded') return 'The reason was not recorded';
  const said = WORDS[reason];
  return typeof said === 'string' ? said : said({ buyer: buyer ?? 'A buyer', field });
}
