/** Acceptance by day, beside what was changed: the versions of the campaign. */
import { ChartLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { filterText } from '../../lib/filterWords.js';
import { useFormats, type Formats } from '../../lib/format.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { useDaySpan, useToday } from '../../ui/data/index.js';
import { EmptyState, LineChart, Loaded, Section, Time, Written } from '../../ui/index.js';
import { inWordsOf } from '../links/words.js';

const SPAN = '30d';

interface AcceptanceByDayProps {
  campaignId: string;
  name: string;
}

export function AcceptanceByDay({ campaignId, name }: AcceptanceByDayProps): ReactNode {
  const { from } = useDaySpan(SPAN);
  const today = useToday();
  const [, goTo] = useLocation();
  const stats = useCall('get_lead_stats', {
    campaign_id: campaignId,
    date_from: from,
    date_to: today,
  });
  const at = `/campaigns/${encodeURIComponent(campaignId)}`;
  return (
    <Section title="Acceptance by day">
      <div className="acceptance card">
        <Loaded of={stats} shape="chart">
          {({ days }) =>
            days.every(({ total_leads }) => total_leads === 0) ? (
              <EmptyState title="No lead was decided in 30 days" icon={ChartLine}>
                From its first lead on, the share that is accepted stands here day by day.
              </EmptyState>
            ) : (
              <LineChart
                title={`Accepted leads of ${name}, last 30 days`}
                points={days.map(({ date, ...day }) => ({ at: date, ...day }))}
                unit="percent"
                series={[
                  {
                    label: 'Accepted',
                    value: ({ accepted, total_leads }) =>
                      total_leads === 0 ? null : accepted / total_leads,
                  },
                ]}
                onPick={({ at: day }) => goTo(`${at}?days=${day}..${day}`)}
              />
            )
          }
        </Loaded>
        <Changes campaignId={campaignId} href={`${at}/versions`} />
      </div>
    </Section>
  );
}

type Version = OutputOf<'get_plan_history'>['versions'][number];

/** Versions that are shown at first, and that are read. */
const SHOWN = 6;

/** What was changed lately, newest first. */
function Changes({ campaignId, href }: { campaignId: string; href: string }): ReactNode {
  const history = useCall('get_plan_history', { campaign_id: campaignId, limit: 20 });
  const [isAll, setIsAll] = useState(false);
  return (
    <aside className="changes" aria-label="What changed">
      <h3>What changed</h3>
      <Loaded of={history}>
        {({ versions }) => (
          <>
            <ol>
              {versions.slice(0, isAll ? undefined : SHOWN).map((one) => (
                <li key={one.version}>
                  <Link href={`${href}?a=${Math.max(1, one.version - 1)}&b=${one.version}`}>
                    Version {one.version}
                  </Link>{' '}
                  <span className="muted">
                    <Time at={one.at} isRelative />
                  </span>
                  <ChangeWords version={one} />
                </li>
              ))}
            </ol>
            {!isAll && versions.length > SHOWN && (
              <button type="button" className="button quiet" onClick={() => setIsAll(true)}>
                Show more
              </button>
            )}
          </>
        )}
      </Loaded>
    </aside>
  );
}

function ChangeWords({ version }: { version: Version }): ReactNode {
  const formats = useFormats();
  const { changes, more_changes, by } = version;
  const [first, ...others] = changes;
  const more = version.version === 1 ? 0 : others.length + more_changes;
  const what = firstText(version, first && changeText(first, formats));
  return (
    <p>
      <Written>{what}</Written>
      {more > 0 && <span className="muted"> and {formats.number(more)} more</span>}
      {by?.name != null && (
        <span className="muted">
          {' '}
          by <bdi>{by.name}</bdi>
        </span>
      )}
    </p>
  );
}

/** The first version has everything that a campaign begins with. */
function firstText({ version, reverted_to }: Version, change: string | undefined): string {
  if (reverted_to !== null) return `Back to version ${reverted_to}`;
  return version === 1 || change === undefined ? 'Created' : change;
}

/** A buyer, a supplier or a field as a whole: `buyers["Acme"]`. */
const OF_RECORD = /^(?<kind>buyers|suppliers|fields)\[.*\]$/s;

/** A change in a sentence. */
function changeText(change: Version['changes'][number], formats: Formats): string {
  const { whose, what, before, after } = inWordsOf(change, formats);
  const kind = OF_RECORD.exec(change.path)?.groups?.kind;
  if (kind === 'fields') return `${whose} was ${after}`;
  if (kind !== undefined) {
    const one = kind === 'buyers' ? 'buyer' : 'supplier';
    return after === 'added' ? `${whose} was added as a ${one}` : `${whose} is no ${one} any more`;
  }
  const subject = whose === '' ? what : `${whose}: ${what}`;
  if (/(^|\.)filters$/.test(change.path)) return `${subject} → ${filterText(change.to)}`;
  return `${subject} ${shortOf(before)} → ${shortOf(after)}`;
}

const SHORT = 40;

function shortOf(text: string): string {
  if (text === '') return 'none';
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}
