import type { ReactNode } from 'react';
import './shareBar.css';

interface BarProps {
  /** One after the other, each in percent of the whole. */
  parts: readonly { percent: number; tone: 'main' | 'quiet' | 'bad' }[];
}

/** A horizontal bar beside a number that says the same. */
export function ShareBar({ parts }: BarProps): ReactNode {
  const starts = parts.map((_, nth) =>
    parts.slice(0, nth).reduce((sum, { percent }) => sum + percent, 0),
  );
  return (
    <svg className="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden>
      <rect className="track" width={100} height={10} />
      {parts.map(({ percent, tone }, nth) => (
        <rect key={nth} className={tone} x={starts[nth]} width={percent} height={10} />
      ))}
    </svg>
  );
}
