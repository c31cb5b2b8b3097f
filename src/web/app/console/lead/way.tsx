import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Button, EmptyState, Section, Timeline, type TimelineItem } from '../../ui/index.js';
import { Values } from './values.js';
import { shown } from './person.js';
import { STEP_ICONS, stepWord, Verdict, type Explanation, type Lead, type Step } from './words.js';

interface WayProps {
  lead: Lead;
  why: Explanation;
}

/** So many steps are shown at first. */
const FIRST = 40;

/** Its way, step by step, and the result with each buyer. */
export function Way({ lead, why }: WayProps): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  const { steps, steps_dropped: dropped } = why;
  const first = isWhole ? steps : steps.slice(0, FIRST);
  return (
    <>
      <Section title="Buyers">
        <Buyers lead={lead} why={why} />
      </Section>
      <Section title="Timeline">
        {dropped > 0 && (
          <p className="muted">Its way is very long: {dropped} steps in the middle are not kept.</p>
        )}
        {steps.length === 0 ? (
          <EmptyState title="Nothing has happened yet" />
        ) : (
          <Timeline label="Its way" items={first.map((step, n) => itemOf(step, n, why))} />
        )}
        {first.length < steps.length && (
          <Button onClick={() => setIsWhole(true)}>Show all {steps.length} steps</Button>
        )}
      </Section>
    </>
  );
}

function itemOf(step: Step, place: number, why: Explanation): TimelineItem {
  const [word, tone] = stepWord(step);
  const Icon = STEP_ICONS[step.step];
  const text = shown(step.text);
  const buyer = step.buyer_name;
  return {
    id: String(place),
    at: step.at,
    tone,
    icon: <Icon />,
    title: <bdi>{text ?? (buyer === null ? word : `${word}: ${buyer}`)}</bdi>,
    detail: sinceText(step.at, why.steps[0]?.at),
    children: hasValues(step) ? <Values of={step.detail ?? {}} names={namesIn(why)} /> : undefined,
  };
}

const hasValues = ({ detail }: Step): boolean => Object.keys(shown(detail) ?? {}).length > 0;

const SOON_MS = 60_000;

/** How long after the first step, where that is what one wants to know: within a minute. */
function sinceText(at: string, first: string | undefined): ReactNode {
  const ms = first === undefined ? 0 : Date.parse(at) - Date.parse(first);
  if (ms <= 0 || ms > SOON_MS) return undefined;
  return ms < 1_000 ? `+${ms} ms` : `+${(ms / 1_000).toFixed(1)} s`;
}

const namesIn = ({ buyers }: Explanation): ReadonlyMap<string, string> =>
  new Map(buyers.map(({ buyer_id, name }) => [buyer_id, name]));

/** One line a buyer; on a phone the reason stands under its name. */
function Buyers({ lead, why: { buyers } }: WayProps): ReactNode {
  if (buyers.length === 0) {
    return (
      <EmptyState title="The campaign had no buyers">
        <Link href={`/campaigns/${lead.campaign_id}/buyers`}>Add one</Link>
      </EmptyState>
    );
  }
  return (
    <ul className="card lead-results" aria-label="Its result with each buyer">
      {buyers.map(({ buyer_id, name, verdict, text, short }) => (
        <li key={buyer_id}>
          <Link href={`/buyers/${buyer_id}`}>
            <bdi>{name}</bdi>
          </Link>
          <Verdict of={verdict} />
          <bdi className="written">{shown(text) ?? short}</bdi>
        </li>
      ))}
    </ul>
  );
}
