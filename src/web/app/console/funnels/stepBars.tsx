import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { Written } from '../../ui/index.js';
import { ShareBar } from '../shareBar.js';
import type { Funnel } from './words.js';

type Step = NonNullable<Funnel['stats']>['steps'][number];

/** How many visitors each step was shown to, and how many of them left there. */
export function StepBars({ steps }: { steps: readonly Step[] }): ReactNode {
  const { number, percent } = useFormats();
  const most = Math.max(0, ...steps.map(({ shown }) => shown));
  if (most === 0) return <p className="muted">No visitor has seen a step in these days.</p>;
  const part = (of: number): number => (of / most) * 100;
  return (
    <ol className="step-bars" aria-label="Steps">
      {steps.map(({ step, title, shown, left, drop_off_pct }) => (
        <li key={step}>
          <span className="step-title">
            {title === null ? (
              <span className="muted">{step} (removed)</span>
            ) : (
              <Written>{title}</Written>
            )}
          </span>
          <ShareBar
            parts={[
              { percent: part(shown - left), tone: 'main' },
              { percent: part(left), tone: 'bad' },
            ]}
          />
          <span className="number">
            {number(shown)} shown ·{' '}
            <span className={drop_off_pct >= 50 ? 'step-off high' : 'step-off'}>
              {percent(drop_off_pct / 100)} left
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
