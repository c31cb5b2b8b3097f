import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Chip, Written } from '../../ui/index.js';

export const CampaignName = ({ href, name }: { href: string; name: string | null }): ReactNode =>
  name === null ? (
    <span className="muted">Deleted</span>
  ) : (
    <Link href={href}>
      <Written>{name}</Written>
    </Link>
  );

interface LinkStateProps {
  status: string;
  /** Of the campaign; null: it is gone. */
  campaignStatus: string | null;
}

/** Whether leads go this way: the link's own state, or that of its campaign where it is not active. */
export function LinkState({ status, campaignStatus }: LinkStateProps): ReactNode {
  if (status === 'paused') return <Chip>Paused</Chip>;
  if (campaignStatus?.toLowerCase() !== 'active') return <Chip>Campaign not active</Chip>;
  return <Chip tone="good">Active</Chip>;
}
