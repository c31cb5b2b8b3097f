/** Names for the states of posts, caps and campaigns on the supplier's screens. */
import { spanOf } from '../../../account/rules/capLimits.js';
import type { Tone } from '../ui/index.js';
import type { OutputOf } from './calls.js';

export type Post = OutputOf<'list_posts'>[number];
export type Campaign = OutputOf<'list_campaigns'>['campaigns'][number];
export type Cap = OutputOf<'get_caps_left'>[number]['caps'][number];

interface Word {
  label: string;
  tone: Tone;
}

const STATUSES: Record<Post['status'], Word> = {
  NEW: { label: 'Being decided', tone: 'neutral' },
  ACCEPTED: { label: 'Accepted', tone: 'good' },
  PENDING: { label: 'Pending', tone: 'warning' },
  UNMATCHED: { label: 'No buyer', tone: 'neutral' },
  DUPLICATE: { label: 'Duplicate', tone: 'warning' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
  EXPIRED: { label: 'Expired', tone: 'neutral' },
  open: { label: 'Bid open', tone: 'good' },
  redeemed: { label: 'Posted', tone: 'good' },
  expired: { label: 'Expired', tone: 'neutral' },
  refused: { label: 'No bid', tone: 'neutral' },
};

export const statusWord = (status: Post['status']): Word => STATUSES[status];

/** The statuses that the log can be narrowed to, as it names them. */
export const LEAD_STATUSES = [
  'ACCEPTED',
  'PENDING',
  'UNMATCHED',
  'DUPLICATE',
  'REJECTED',
  'EXPIRED',
] as const;

const CAMPAIGN_STATES: Record<Campaign['state'], Word> = {
  open: { label: 'Open', tone: 'good' },
  paused: { label: 'Paused', tone: 'warning' },
  supplier_paused: { label: 'All posts paused', tone: 'warning' },
  campaign_paused: { label: 'Paused by the operator', tone: 'neutral' },
};

export const campaignWord = (state: Campaign['state']): Word => CAMPAIGN_STATES[state];

const OF: Record<Cap['of'], string> = { count: 'Leads', budget: 'Payout', pings: 'Pings' };

/** Such as "Leads a day". */
export const capLabel = ({ of, window }: Pick<Cap, 'of' | 'window'>): string =>
  `${OF[of]} ${spanOf(window)}`;
