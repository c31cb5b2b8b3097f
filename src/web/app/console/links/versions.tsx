import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useFilters } from '../../lib/route.js';
import { useCall, usePages } from '../../lib/useActions.js';
import { Button, Chip, Diff, EmptyState, Loaded, Paged, Section, Time } from '../../ui/index.js';
import { CampaignFrame } from '../campaigns/frame.js';
import { authorName, type Version } from './author.js';
import { Revert } from './revert.js';
import type { Campaign } from './rows.js';
import { inWordsOf, summaryOf } from './words.js';
import './links.css';

/** The versions of a campaign: who changed what, the difference of any two, and going back to one. */
export default function Versions(): ReactNode {
  const { id = '' } = useParams();
  return (
    <CampaignFrame id={id} how={{ action: 'get_plan_history', input: { campaign_id: id } }}>
      {(campaign) => (
        <>
          <Difference campaign={campaign} />
          <History campaign={campaign} />
        </>
      )}
    </CampaignFrame>
  );
}

/** The two that the address names: `?a=3&b=7`. */
function useCompared(): [
  number | null,
  number | null,
  (a: number | null, b: number | null) => void,
] {
  const [{ a, b }, change] = useFilters(['a', 'b']);
  const read = (text: string | undefined): number | null =>
    text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  const write = (version: number | null): string => (version === null ? '' : String(version));
  return [read(a), read(b), (from, to) => change({ a: write(from), b: write(to) })];
}

function Difference({ campaign }: { campaign: Campaign }): ReactNode {
  const formats = useFormats();
  const [a, b, compare] = useCompared();
  const to = b ?? campaign.version;
  const of = useCall(
    'get_plan_history',
    { campaign_id: campaign.id, limit: 1, from_version: a ?? 1, to_version: to },
    { isOff: a === null },
  );
  if (a === null) return null;
  return (
    <Section
      title={`Version ${a} and version ${to}`}
      actions={
        <>
          <Button onClick={() => compare(to, a)}>Swap</Button>
          <Button onClick={() => compare(null, null)}>Close</Button>
        </>
      }
    >
      <Loaded of={of}>
        {({ difference }) =>
          !difference || difference.changes.length === 0 ? (
            <EmptyState title="They say the same" />
          ) : (
            <>
              <Diff
                caption={`Version ${a} and version ${to}`}
                heads={[`Version ${a}`, `Version ${to}`]}
                rows={difference.changes.map((change) => {
                  const { whose, what, before, after } = inWordsOf(change, formats);
                  const label =
                    whose === '' ? (
                      what
                    ) : (
                      <>
                        <bdi>{whose}</bdi> · {what}
                      </>
                    );
                  return { key: change.path, label, before, after };
                })}
              />
              {difference.more_changes > 0 && (
                <p className="muted">And {formats.number(difference.more_changes)} more values.</p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function History({ campaign }: { campaign: Campaign }): ReactNode {
  const pages = usePages('get_plan_history', { campaign_id: campaign.id, limit: 20 });
  return (
    <Section title="Versions">
      <Paged of={pages}>
        {({ versions, version: newest }) => (
          <ol className="versions" reversed start={versions[0]?.version}>
            {versions.map((version) => (
              <VersionRow
                key={version.version}
                campaign={campaign}
                version={version}
                newest={newest}
              />
            ))}
          </ol>
        )}
      </Paged>
    </Section>
  );
}

interface VersionRowProps {
  campaign: Campaign;
  version: Version;
  /** The version that decides new leads. */
  newest: number;
}

function VersionRow({ campaign, version: one, newest }: VersionRowProps): ReactNode {
  const formats = useFormats();
  const [a, b, compare] = useCompared();
  const { version, at, by, changes, more_changes, reverted_to } = one;
  const isNewest = version === newest;
  const summary =
    version === 1 ? 'The campaign was created' : summaryOf(changes, more_changes, formats);
  return (
    <li className={version === a || version === b ? 'version version-compared' : 'version'}>
      <div className="version-text">
        <p>
          <strong>Version {version}</strong>{' '}
          {isNewest && <Chip tone="good">Decides new leads</Chip>}
          {reverted_to != null && <Chip>Back to version {reverted_to}</Chip>}
        </p>
        <p>
          <bdi>{summary === '' ? 'Changes nothing of the campaign' : summary}</bdi>
        </p>
        <p className="muted">
          <bdi>{authorName(by)}</bdi>
          {at != null && (
            <>
              {' · '}
              <Time at={at} isRelative />
            </>
          )}
        </p>
      </div>
      <div className="actions">
        {version > 1 && (
          <Button
            kind="quiet"
            aria-label={`Changes of version ${version}`}
            onClick={() => compare(version - 1, version)}
          >
            Changes
          </Button>
        )}
        {!isNewest && (
          <Button
            kind="quiet"
            aria-label={`Compare with now, version ${version}`}
            onClick={() => compare(version, newest)}
          >
            Compare with now
          </Button>
        )}
        {!isNewest && <Revert campaign={campaign} to={version} newest={newest} />}
      </div>
    </li>
  );
}
