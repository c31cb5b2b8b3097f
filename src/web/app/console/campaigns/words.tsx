/** Campaigns in words. */
import { Archive, CirclePause, CirclePlay } from 'lucide-react';
import type { ReactNode } from 'react';
import { Chip } from '../../ui/index.js';

export type CampaignStatus = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

const STATUS = {
  ACTIVE: { text: 'Active', tone: 'good', icon: CirclePlay },
  PAUSED: { text: 'Paused', tone: 'warning', icon: CirclePause },
  ARCHIVED: { text: 'Archived', tone: 'neutral', icon: Archive },
} as const;

export function StatusChip({ status }: { status: CampaignStatus }): ReactNode {
  const { text, tone, icon } = STATUS[status];
  return (
    <Chip tone={tone} icon={icon}>
      {text}
    </Chip>
  );
}

const METHODS: Readonly<Record<string, string>> = {
  DIRECT_POST: 'Direct post',
  PING_POST: 'Ping-post',
  WATERFALL: 'Waterfall',
  ROUND_ROBIN: 'Round robin',
  WEIGHTED: 'Weighted',
  HIGHEST_BID: 'Highest bid',
  ROUTE_TO_ORIGINAL: 'Route to the original buyer',
  REJECT: 'Refuse',
  ANY: 'Any of the fields',
  ALL: 'All of the fields together',
  LEADS: 'Leads',
  ACTIVE: 'Active',
  PAUSED: 'Paused',
  ARCHIVED: 'Archived',
};

/** An option of a setting, as a person reads it. */
export const optionText = (option: string): string => METHODS[option] ?? option;
