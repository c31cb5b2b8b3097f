import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCall } from '../calls.js';
import { Chart, EmptyState, Facts, Loaded, Percent, Section } from '../../ui/index.js';

/** The shares of answered leads that were accepted, and of sold leads that were returned, by day. */
export function Rates(): ReactNode {
  const rates = useCall('get_daily_rates', {});
  const { number } = useFormats();
  return (
    <Section title="Acceptance and returns, last 30 days">
      <Loaded of={rates}>
        {({ totals, days }) =>
          totals.sent === 0 && totals.sold === 0 ? (
            <EmptyState title="No leads in this period">
              Daily rates appear once leads are sent to you.
            </EmptyState>
          ) : (
            <>
              <Facts
                facts={[
                  ['Acceptance', <Percent share={totals.acceptance_rate} />],
                  [
                    'Accepted of answered',
                    `${number(totals.accepted)} of ${number(totals.accepted + totals.rejected)}`,
                  ],
                  ['Return rate', <Percent share={totals.return_rate} />],
                  ['Returned of sold', `${number(totals.returned)} of ${number(totals.sold)}`],
                  ['Converted', number(totals.converted)],
                ]}
              />
              <Chart
                title="Acceptance and return rate by day"
                points={days}
                unit="percent"
                series={[
                  { label: 'Accepted', value: (day) => day.acceptance_rate },
                  { label: 'Returned', value: (day) => day.return_rate },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
