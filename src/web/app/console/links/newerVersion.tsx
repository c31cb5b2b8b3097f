import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useCall } from '../../lib/useActions.js';
import { useSession } from '../../lib/session.js';
import { Button, Notice, Time } from '../../ui/index.js';
import { authorName } from './author.js';
import type { Campaign } from './rows.js';
import { summaryOf } from './words.js';

interface NewerVersionProps {
  campaign: Campaign;
  isEditing: boolean;
}

/** Tells of a version that was published since the page read the campaign. Nothing moves until the person wants it. */
export function NewerVersion({ campaign, isEditing }: NewerVersionProps): ReactNode {
  const { api } = useSession();
  const formats = useFormats();
  const queries = useQueryClient();
  const { data } = useCall(
    'get_plan_history',
    { campaign_id: campaign.id, limit: 1 },
    { refreshSeconds: 30 },
  );
  const [newest] = data?.versions ?? [];
  if (!newest || newest.version <= campaign.version) return null;
  const load = (): void =>
    void queries.invalidateQueries({
      queryKey: [api, 'get_campaign', { campaign_id: campaign.id }],
    });
  return (
    <Notice
      tone="info"
      title={
        <>
          <bdi>{authorName(newest.by)}</bdi> published version {newest.version}{' '}
          <Time at={newest.at} isRelative />
        </>
      }
      action={
        <span className="actions">
          <Link
            className="button"
            href={`/campaigns/${campaign.id}/versions?a=${campaign.version}&b=${newest.version}`}
          >
            Compare
          </Link>
          <Button onClick={load}>Show version {newest.version}</Button>
        </span>
      }
    >
      <p>{summaryOf(newest.changes, newest.more_changes, formats)}</p>
      {isEditing && <p>What you have typed stays, and you choose where both changed a value.</p>}
    </Notice>
  );
}
