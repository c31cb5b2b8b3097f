import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { PauseControl } from '../../lib/pause.js';
import { useCan, useSession } from '../../lib/session.js';
import { Loaded, Page, Tile, Tiles } from '../../ui/index.js';
import { useCall, type Usage } from '../calls.js';
import { Caps } from './caps.js';
import { LastOutcomes } from './lastOutcomes.js';
import { Notices } from './notices.js';
import { Rates } from './rates.js';

const REFRESH_SECONDS = 30;

/** What the buyer has accepted and spent, how much is left, and what needs the buyer. */
export default function Overview(): ReactNode {
  const { me } = useSession();
  const usage = useCall('get_usage', {}, { refreshSeconds: REFRESH_SECONDS });
  const mayReadRates = useCan('get_daily_rates');
  const mayListSales = useCan('list_sales');
  return (
    <Page
      title="Overview"
      intro={
        <p>
          Leads from {me.organization.name} for {me.party?.name}.
        </p>
      }
      actions={
        usage.data && (
          <PauseControl
            isPaused={usage.data.status === 'paused'}
            canResume={usage.data.can_resume}
          />
        )
      }
    >
      <Notices usage={usage.data} />
      <Loaded of={usage} shape="tiles">
        {(data) => (
          <>
            <Spent usage={data} />
            <Caps campaigns={data.campaigns} />
          </>
        )}
      </Loaded>
      {mayReadRates && <Rates />}
      {mayListSales && <LastOutcomes />}
    </Page>
  );
}

const SPANS = [
  ['today', 'Today'],
  ['week', 'This week'],
  ['month', 'This month'],
] as const;

function Spent({ usage }: { usage: Usage }): ReactNode {
  const { number, money } = useFormats();
  return (
    <Tiles>
      {SPANS.map(([span, label]) => (
        <Tile
          key={span}
          label={`Leads ${label.toLowerCase()}`}
          value={number(usage[span].leads)}
          hint={`${money(usage[span].spend)} spent`}
        />
      ))}
    </Tiles>
  );
}
