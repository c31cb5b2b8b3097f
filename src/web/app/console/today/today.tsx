import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCall } from '../../lib/useActions.js';
import { Loaded, Page, Section } from '../../ui/index.js';
import { Attention } from './attention.js';
import { Campaigns } from './campaigns.js';
import { Figures } from './figures.js';
import { FirstSteps } from './firstSteps.js';
import { Hours } from './hours.js';
import type { Today } from './types.js';
import './today.css';

const REFRESH_SECONDS = 30;

/** How the day goes beside the same hours of last week, and what needs someone. */
export default function TodayScreen(): ReactNode {
  const today = useCall('get_today', {}, { refreshSeconds: REFRESH_SECONDS });
  return (
    <Page
      title="Today"
      how={{ action: 'get_today' }}
      intro={today.data && <Intro today={today.data} />}
    >
      <Loaded of={today} shape="tiles">
        {(data) => (
          <>
            {isQuiet(data) && <FirstSteps />}
            <div className="today-figures">
              <Figures today={data} />
            </div>
            <div className="today-parts">
              <Hours today={data} />
              <Section title="Needs attention">
                <Attention today={data} />
              </Section>
            </div>
            <Campaigns today={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** No lead in two days: perhaps nothing is set up yet. */
const isQuiet = ({ today, yesterday }: Today): boolean =>
  today.total_leads + yesterday.total_leads === 0;

function Intro({ today }: { today: Today }): ReactNode {
  const formats = useFormats();
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
  const name = weekday.format(new Date(`${today.date}T00:00:00Z`));
  return (
    <p>
      {name}, {formats.date(today.date)}, beside the same hours of last {name}.
      {today.uncounted > 0 && ` ${formats.number(today.uncounted)} changes are being counted.`}
    </p>
  );
}
