/** Names for the states of posts, caps and campaigns on the supplier's screens, and the mark of tests. */
import './supplier.css';
import type { ReactNode } from 'react';
import { badgeOf, Written, type Word } from '../ui/index.js';
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
export const PostStatus = badgeOf(STATUSES);

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

export const CampaignState = badgeOf(CAMPAIGN_STATES);

/** A band across the page, so that a test is not mistaken for business. */
export function TestBand({ children }: { children?: ReactNode }): ReactNode {
  return (
    <p className="test-band" role="note">
      <strong>TEST</strong>{' '}
      {children ?? 'Costs nothing, counts toward no cap, and goes only to buyers in test mode.'}
    </p>
  );
}

/** What is wrong with the fields of a post, such as each rule of the campaign that it did not pass. */
export function FieldNotes({ notes }: { notes: readonly { field: string; message: string }[] }) {
  if (notes.length === 0) return null;
  return (
    <ul>
      {notes.map(({ field, message }) => (
        <li key={`${field} ${message}`}>
          <code>{field}</code>: <Written>{message}</Written>
        </li>
      ))}
    </ul>
  );
}
