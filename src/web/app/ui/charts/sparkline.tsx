import type { ReactNode } from 'react';
import './charts.css';

interface SparklineProps {
  values: readonly number[];
  /** Read aloud in place of the line. */
  label: string;
}

const WIDTH = 100;
const HEIGHT = 24;
/** Half of the line's width, which is not cut off at the top and the bottom. */
const EDGE = 1;

/** The course of a number, without axes: beside the number itself. */
export function Sparkline({ values, label }: SparklineProps): ReactNode {
  if (values.length < 2) return null;
  const top = Math.max(...values, 0);
  const bottom = Math.min(...values, 0);
  const span = top - bottom;
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH;
    // Nothing but zeros is a line at the bottom.
    const share = span === 0 ? 1 : (top - value) / span;
    const y = EDGE + share * (HEIGHT - 2 * EDGE);
    return `${round(x)},${round(y)}`;
  });
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;
