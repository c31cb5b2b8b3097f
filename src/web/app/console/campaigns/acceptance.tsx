/** Acceptance by day, beside what was changed: the versions of the campaign. */
import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { labelOfSetting } from '../../lib/settings.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { useDaySpan, useToday } from '../../ui/data/index.js';
import { LineChart, Loaded, Section, Time, Written } from '../../ui/index.js';

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
      <div className="acceptance">
        <Loaded of={stats} shape="chart">
          {({ days }) => (
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
          )}
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
  const { number } = useFormats();
  const { changes, more_changes, by, reverted_to } = version;
  const [first, ...others] = changes;
  const more = others.length + more_changes;
  const what =
    reverted_to !== null ? `Back to version ${reverted_to}` : first ? changeText(first) : 'Created';
  return (
    <p>
      <Written>{what}</Written>
      {more > 0 && <span className="muted"> and {number(more)} more</span>}
      {by?.name != null && (
        <span className="muted">
          {' '}
          by <bdi>{by.name}</bdi>
        </span>
      )}
    </p>
  );
}

/** `buyers["Acme"].price`: the kind of record, its name, the setting. */
const OF_PARTY = /^(buyers|suppliers)\["(.+)"\](?:\.(.+))?$/;

/** A change in a line. */
function changeText({ path, from, to }: Version['changes'][number]): string {
  const [, kind, name, setting] = OF_PARTY.exec(path) ?? [];
  const party = kind === 'buyers' ? 'Buyer' : 'Supplier';
  if (kind !== undefined && setting === undefined)
    return `${party} ${name ?? ''} ${to === null ? 'removed' : 'added'}`;
  const values = `${shortOf(from)} → ${shortOf(to)}`;
  if (setting !== undefined) {
    const table = kind === 'buyers' ? 'buyerLink' : 'supplierLink';
    return `${name ?? ''}: ${labelOfSetting(table, setting.replace(/^caps\./, ''))} ${values}`;
  }
  return `${labelOfSetting('campaign', path)}: ${values}`;
}

const SHORT = 40;

function shortOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}
