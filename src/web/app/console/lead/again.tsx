import { RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { Button, Facts, Loaded, Money, Section } from '../../ui/index.js';
import type { Lead } from './words.js';

type Preview = OutputOf<'preview_routing'>;
type End = Preview['leads'][number]['before'];

/** Decides the lead again by the current settings, and says whether its way follows from those of then. Nothing changes. */
export function Again({ lead }: { lead: Lead }): ReactNode {
  const may = useCan('preview_routing');
  const [isAsked, setIsAsked] = useState(false);
  const preview = useCall(
    'preview_routing',
    { campaign_id: lead.campaign_id, lead_id: lead.id },
    { isOff: !isAsked },
  );
  if (!may) return null;
  return (
    <Section
      title="What would happen today?"
      actions={
        <Button onClick={() => (isAsked ? void preview.refetch() : setIsAsked(true))}>
          <RotateCcw size={16} aria-hidden /> Decide again
        </Button>
      }
    >
      {isAsked ? (
        <Loaded of={preview}>{(data) => <Result of={data} lead={lead} />}</Loaded>
      ) : (
        <p className="muted">
          Decides this lead by the current settings and compares. Nothing is sent or changed.
        </p>
      )}
    </Section>
  );
}

const REPLAYED = {
  equal: 'Decided again by its own version, it goes the same way.',
  differs: 'Decided again by its own version, it goes another way: tell your administrator.',
  trimmed: 'Its way is too long to be compared with its own version.',
};

function Result({ of, lead }: { of: Preview; lead: Lead }): ReactNode {
  const [row] = of.leads;
  const replayed =
    of.replayed === null ? null : (
      <p className="muted">
        {REPLAYED[of.replayed]} (Version {lead.plan_version})
      </p>
    );
  if (!row) return replayed ?? <p className="muted">Nothing can be said: it is not decided yet.</p>;
  return (
    <>
      <p>
        <strong>
          {row.changed ? `Today: ${endText(row.after)}` : 'The same would happen today.'}
        </strong>
        {row.after.assumed.length > 0 && ' A buyer that was not asked is taken to accept it.'}
      </p>
      <div className="lead-ends">
        <EndFacts title="What happened" end={row.before} />
        <EndFacts title={`By the current settings (version ${of.version})`} end={row.after} />
      </div>
      {replayed}
    </>
  );
}

const namesOf = ({ buyers }: End): string =>
  buyers.map(({ name }) => name ?? 'a deleted buyer').join(', ');

const endText = (end: End): string =>
  end.buyers.length > 0 ? `it would be sold to ${namesOf(end)}.` : 'it would not be sold.';

function EndFacts({ title, end }: { title: string; end: End }): ReactNode {
  return (
    <div className="card">
      <h3>{title}</h3>
      <Facts
        facts={[
          ['Buyers', <bdi>{namesOf(end) || 'none'}</bdi>],
          ['Revenue', <Money amount={end.revenue} />],
          ['Cost', <Money amount={end.cost} />],
          ['Profit', <Money amount={end.profit} />],
        ]}
      />
    </div>
  );
}
