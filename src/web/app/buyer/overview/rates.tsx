import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { BarChart, EmptyState, Loaded, Section, Tile, Tiles } from '../../ui/index.js';
import { useCall, type OutputOf } from '../calls.js';

type Rates = OutputOf<'get_daily_rates'>;

/** Leads and spend by day, and the shares of leads that were accepted and returned. */
export function Rates(): ReactNode {
  const rates = useCall('get_daily_rates', {});
  return (
    <Section title="Last 30 days">
      <Loaded of={rates} shape="chart">
        {(data) =>
          data.totals.sent === 0 && data.totals.sold === 0 ? (
            <EmptyState title="No leads in this period">
              Leads and spend by day appear once leads are sent to you.
            </EmptyState>
          ) : (
            <Figures rates={data} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Figures({ rates: { totals, days } }: { rates: Rates }): ReactNode {
  const { number, money, percent } = useFormats();
  const share = (value: number | null): string => (value === null ? '–' : percent(value));
  const points = days.map((one) => ({ ...one, at: one.day }));
  return (
    <>
      <Tiles>
        <Tile label="Leads" value={number(totals.sold)} hint={`${money(totals.spend)} spent`} />
        <Tile
          label="Acceptance"
          value={share(totals.acceptance_rate)}
          hint={`${number(totals.accepted)} of ${number(totals.accepted + totals.rejected)} answered`}
        />
        <Tile
          label="Return rate"
          value={share(totals.return_rate)}
          hint={`${number(totals.returned)} of ${number(totals.sold)} sold`}
        />
        <Tile
          label="Converted"
          value={number(totals.converted)}
          hint={`of ${number(totals.sold)} sold`}
        />
      </Tiles>
      <div className="charts">
        <BarChart
          title="Leads by day"
          points={points}
          isStacked
          series={[
            { label: 'Kept', value: ({ sold, returned }) => sold - returned },
            { label: 'Returned', value: ({ returned }) => returned },
          ]}
        />
        <BarChart
          title="Spend by day"
          unit="money"
          points={points}
          series={[{ label: 'Spend', value: ({ spend }) => spend }]}
        />
      </div>
    </>
  );
}
