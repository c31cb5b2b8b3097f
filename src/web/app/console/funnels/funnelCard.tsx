import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import { Badge, Confirmed, Copy, useToast, WordBadge, Written } from '../../ui/index.js';
import { Name } from '../names.js';
import { StepBars } from './stepBars.js';
import { FUNNEL_WORDS, type Funnel } from './words.js';

/** One funnel: its state and address, its figures, and the drop-off of each step. */
export function FunnelCard({ funnel }: { funnel: Funnel }): ReactNode {
  const { name, status, live_url, campaign, supplier, stats, has_unpublished_changes } = funnel;
  const { number, percent } = useFormats();
  const shown = (value: number | null): string => (value === null ? 'Too many' : number(value));
  return (
    <article className="card funnel-card" aria-label={name}>
      <header className="funnel-head">
        <h2>
          <Written>{name}</Written>
        </h2>
        <WordBadge of={FUNNEL_WORDS[status]} />
        {status === 'published' && has_unpublished_changes && (
          <Badge tone="warning">Unpublished changes</Badge>
        )}
        <div className="actions">
          <PublishActs funnel={funnel} />
        </div>
      </header>
      <p className="muted">
        <Link href={`/campaigns/${campaign.id}`}>
          <Name of={campaign.name} />
        </Link>{' '}
        · <Name of={supplier.name} />
        {live_url !== null && (
          <>
            {' · '}
            <a href={live_url} target="_blank" rel="noreferrer">
              <bdi>{live_url.replace(/^https?:\/\//, '')}</bdi>
              <ExternalLink size={14} aria-hidden />
              <span className="hidden"> (opens in a new tab)</span>
            </a>{' '}
            <Copy text={live_url} of={`the address of ${name}`} />
          </>
        )}
      </p>
      {stats && (
        <>
          <dl className="funnel-figures">
            <Figure label="Views" value={number(stats.views)} />
            <Figure label="Forms sent" value={number(stats.submits)} />
            <Figure label="Leads" value={shown(stats.leads)} />
            <Figure label="Accepted" value={shown(stats.accepted)} />
            <Figure
              label="Conversion"
              value={stats.conversion_pct === null ? '–' : percent(stats.conversion_pct / 100)}
            />
          </dl>
          <StepBars steps={stats.steps} />
        </>
      )}
    </article>
  );
}

const Figure = ({ label, value }: { label: string; value: string }): ReactNode => (
  <div>
    <dt>{label}</dt>
    <dd className="number">{value}</dd>
  </div>
);

/** Publishing shows the draft as it is now; taking it offline can be undone while the draft is what was live. */
function PublishActs({ funnel }: { funnel: Funnel }): ReactNode {
  const { id: funnel_id, name, status, has_unpublished_changes } = funnel;
  const [publish, unpublish] = [useWrite('publish_funnel'), useWrite('unpublish_funnel')];
  const [mayPublish, mayUnpublish] = [useCan('publish_funnel'), useCan('unpublish_funnel')];
  const toast = useToast();
  const isLive = status === 'published';
  const takeOffline = async () => {
    const done = await unpublish.run({ funnel_id });
    if (done && !has_unpublished_changes)
      toast(`${name} is offline.`, { undo: () => publish.run({ funnel_id }) });
    return done;
  };
  return (
    <>
      {mayPublish && (!isLive || has_unpublished_changes) && (
        <Confirmed
          button={isLive ? 'Publish changes' : 'Publish'}
          label={`${isLive ? 'Publish the changes of' : 'Publish'} ${name}`}
          kind="secondary"
          title={`Publish ${name}`}
          act="Publish"
          write={publish}
          run={() => publish.run({ funnel_id })}
          describe={({ live_url }) => `${name} is live at ${live_url}`}
        >
          <p>
            Visitors see the draft as it is now. Those who have begun an earlier version finish it
            within 24 hours.
          </p>
        </Confirmed>
      )}
      {mayUnpublish && isLive && (
        <Confirmed
          button="Take offline"
          label={`Take ${name} offline`}
          kind="quiet"
          title={`Take ${name} offline`}
          act="Take offline"
          isDanger
          write={unpublish}
          run={takeOffline}
          describe={() => `${name} is offline.`}
        >
          <p>
            Visitors see that it is closed, and can no longer send answers. Its figures and consent
            records stay; publishing opens it again.
          </p>
        </Confirmed>
      )}
    </>
  );
}
