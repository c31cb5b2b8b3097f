/** Names for the states of posts, caps and campaigns on the supplier's screens, and the mark of tests. */
import './supplier.css';
import type { ReactNode } from 'react';
import { WordBadge, type Word } from '../ui/index.js';
import type { OutputOf } from './calls.js';

export type Post = OutputOf<'list_posts'>[number];
export type Campaign = OutputOf<'list_campaigns'>['campaigns'][number];

const STATUSES: Record<Post['status'], Word> = {
  NEW: ['Processing', 'neutral'],
  ACCEPTED: ['Accepted', 'good'],
  PENDING: ['Pending', 'warning'],
  UNMATCHED: ['No buyer', 'neutral'],
  DUPLICATE: ['Duplicate', 'warning'],
  REJECTED: ['Rejected', 'bad'],
  EXPIRED: ['Expired', 'neutral'],
  open: ['Bid open', 'good'],
  redeemed: ['Posted', 'good'],
  expired: ['Expired', 'neutral'],
  refused: ['No bid', 'neutral'],
};

export const statusName = (status: Post['status']): string => STATUSES[status][0];
export const PostStatus = ({ of }: { of: Post['status'] }): ReactNode => (
  <WordBadge of={STATUSES[of]} />
);

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
  open: ['Open', 'good'],
  paused: ['Paused', 'warning'],
  supplier_paused: ['All posts paused', 'warning'],
  campaign_paused: ['Paused by the operator', 'neutral'],
};

export const CampaignState = ({ of }: { of: Campaign['state'] }): ReactNode => (
  <WordBadge of={CAMPAIGN_STATES[of]} />
);

/** A band across the page, so that a test is not mistaken for business. */
export function TestBand({ children }: { children?: ReactNode }): ReactNode {
  return (
    <p className="test-band" role="note">
      <strong>TEST</strong>{' '}
      {children ?? 'Costs nothing, counts toward no cap, and goes only to buyers in test mode.'}
    </p>
  );
}
