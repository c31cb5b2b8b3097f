/** How to post to a campaign: addresses, code, fields and responses, generated from its current settings. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../lib/session.js';
import { useCall } from './calls.js';
import { Loaded, Page } from '../ui/index.js';
import { CampaignChoice } from './campaignChoice.js';
import { GuideParts } from './guideParts.js';

export default function PostingGuide(): ReactNode {
  return (
    <Page title="Posting guide">
      <CampaignChoice>{({ id }) => <CampaignGuide key={id} campaignId={id} />}</CampaignChoice>
    </Page>
  );
}

function CampaignGuide({ campaignId }: { campaignId: string }): ReactNode {
  const guide = useCall('get_posting_guide', { campaign_id: campaignId });
  const canTest = useCan('send_test_post');
  return (
    <Loaded of={guide}>
      {({ guide: data, markdown }) => (
        <>
          {canTest && (
            <p>
              Try it without any code in the{' '}
              <Link href={`/console?campaign=${encodeURIComponent(campaignId)}`}>test console</Link>
              .
            </p>
          )}
          <GuideParts guide={data} markdown={markdown} />
        </>
      )}
    </Loaded>
  );
}
