/** States of pings in words. */
import type { OutputOf, RowOf } from '../../lib/useActions.js';
import type { Option, Word } from '../../ui/index.js';

export type ListedPing = RowOf<'list_pings'>;
export type Ping = OutputOf<'get_ping'>;

export const PING_WORDS: Record<ListedPing['state'], Word> = {
  open: ['Open', 'info'],
  redeemed: ['Posted', 'good'],
  expired: ['Expired', 'neutral'],
  refused: ['Refused', 'bad'],
};

export const PING_OPTIONS: readonly Option[] = Object.entries(PING_WORDS).map(
  ([value, [label]]) => ({ value, label }),
);

export const REFUSAL_WORDS: Record<NonNullable<ListedPing['reason']>, string> = {
  filtered: 'The filters of the campaign refuse it.',
  suppressed: 'The person is on a suppression list.',
  duplicate: 'It repeats an earlier lead.',
  no_buyer: 'No buyer bid.',
  paused: 'The campaign, or the supplier in it, is paused.',
  capped: 'Every buyer that could bid was left out by a cap.',
};
