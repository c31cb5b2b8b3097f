/** Acceptance by day, with a mark where a version was published, beside what each version changed. */
import { ChartLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { filterText } from '../../lib/filterWords.js';
import { useFormats, type Formats } from '../../lib/format.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { useDateOf, useDaySpan, useToday } from '../../ui/data/index.js';
import {
  EmptyState,
  LineChart,
  Loaded,
  Section,
  Time,
  Written,
  type ChartMark,
} from '../../ui/index.js';
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
  const history = useCall('get_plan_history', { campaign_id: campaignId, limit: VERSIONS_READ });
  const marks = useMarks(history.data?.versions ?? []);
  const at = `/campaigns/${encodeURIComponent(campaignId)}`;
  return (
    <Section title="Acceptance by day">
      <div className="acceptance card">
        <Loaded of={stats} shape="chart">
          {({ days }) =>
            days.every(({ total_leads }) => total_leads === 0) ? (
              <EmptyState title="No lead was decided in 30 days" icon={ChartLine}>
                The chart begins with the first lead that is decided.
              </EmptyState>
            ) : (
              <LineChart
                title={`Accepted leads of ${name}, last 30 days`}
                points={days.map(({ date, ...day }) => ({ at: date, ...day }))}
                unit="percent"
                marks={marks.length > 0 ? { label: 'Version published', of: marks } : undefined}
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
        <Changes history={history} href={`${at}/versions`} />
      </div>
    </Section>
  );
}

type Version = OutputOf<'get_plan_history'>['versions'][number];

/** The newest versions that are read, and those of them that are listed at first. */
const VERSIONS_READ = 20;
const SHOWN = 6;

/** Versions of one day that its mark names. */
const NAMED_MAX = 3;

/** The days on which a version was published, the first versions of a day by what they changed. */
function useMarks(versions: readonly Version[]): ChartMark[] {
  const formats = useFormats();
  const dateOf = useDateOf();
  const dated = versions.flatMap((one) => (one.at === null ? [] : [{ day: dateOf(one.at), one }]));
  return [...Map.groupBy(dated, ({ day }) => day)].flatMap(([at, all]) => {
    const named = all.toReversed().slice(0, NAMED_MAX);
    const texts = named.map(({ one }) => `Version ${one.version}: ${wordsOf(one, formats)}`);
    const more = all.length - named.length;
    if (more > 0) texts.push(`${more} more ${more === 1 ? 'version' : 'versions'}`);
    return texts.map((text) => ({ at, text }));
  });
}

interface ChangesProps {
  history: ReturnType<typeof useCall<'get_plan_history'>>;
  href: string;
}

/** What was changed lately, newest first. */
function Changes({ history, href }: ChangesProps): ReactNode {
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
  const more = version.version === 1 ? 0 : Math.max(0, changes.length - 1) + more_changes;
  return (
    <p>
      <Written>{wordsOf(version, formats)}</Written>
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

/** Its first change; the first version has everything that a campaign begins with. */
function wordsOf({ version, reverted_to, changes: [first] }: Version, formats: Formats): string {
  if (reverted_to !== null) return `Back to version ${reverted_to}`;
  return version === 1 || first === undefined ? 'Created' : changeText(first, formats);
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
