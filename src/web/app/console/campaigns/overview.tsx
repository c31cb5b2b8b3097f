/** One campaign: how it does, where its leads go, why others were lost, and its settings. */
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { FilterBar, useDaySpan, useToday, type FilterSpec } from '../../ui/data/index.js';
import { EmptyState, Loaded, Section } from '../../ui/index.js';
import { AcceptanceByDay } from './acceptance.js';
import { FlowPicture } from './flowPicture.js';
import { FlowTiles } from './flowTiles.js';
import { CampaignFrame, type Campaign } from './frame.js';
import { Reasons } from './reasons.js';
import { CampaignSettings } from './settings.js';

const FILTERS: readonly FilterSpec<'days'>[] = [
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
];

export default function CampaignOverview(): ReactNode {
  const { id } = useParams<{ id: string }>();
  const canReport = useCan('get_flow');
  return (
    <CampaignFrame
      id={id}
      how={canReport ? { action: 'get_flow', input: { campaign_id: id } } : undefined}
    >
      {(campaign) => (
        <>
          {canReport && <Course campaign={campaign} />}
          <CampaignSettings campaign={campaign} />
        </>
      )}
    </CampaignFrame>
  );
}

const WEEK_MS = 7 * 86_400_000;

/** The way back from a day to an earlier one, in whole weeks. */
function earlierBy(before: string, day: string): string {
  const weeks = Math.round((Date.parse(day) - Date.parse(before)) / WEEK_MS);
  return weeks === 1 ? 'a week earlier' : `${weeks} weeks earlier`;
}

/** Its leads of some days, of today unless the address says otherwise. */
function Course({ campaign: { id, name } }: { campaign: Campaign }): ReactNode {
  const [filters, change] = useFilters(['days']);
  const { days = 'today' } = filters;
  const span = useDaySpan(days);
  const today = useToday();
  const flow = useCall(
    'get_flow',
    { campaign_id: id, date_from: span.from, date_to: span.to ?? today, compare: true },
    { refreshSeconds: 30 },
  );
  const leadsHref = (more: Record<string, string>): string =>
    `/leads?${new URLSearchParams({ campaign_id: id, days, ...more })}`;
  return (
    <>
      <FilterBar filters={FILTERS} values={{ days }} onChange={change} />
      <Loaded of={flow} shape="tiles">
        {(data) => {
          const { before, date_from, date_to } = data;
          const than = before ? earlierBy(before.date_from, date_from) : 'before';
          const isOngoing = date_to >= today;
          return (
            <>
              <FlowTiles flow={data} than={than} isOngoing={isOngoing} leadsHref={leadsHref} />
              <Section title="Where its leads go">
                {data.total.total_leads === 0 ? (
                  <EmptyState title="No leads on these days">
                    Suppliers post them as the posting guide says; a test lead shows the way at
                    once.
                  </EmptyState>
                ) : (
                  <FlowPicture flow={data} leadsHref={leadsHref} />
                )}
              </Section>
              <Reasons flow={data} leadsHref={leadsHref} than={than} />
            </>
          );
        }}
      </Loaded>
      <AcceptanceByDay campaignId={id} name={name} />
    </>
  );
}
