import type { ReactNode } from 'react';
import { useFormats } from '../lib/format.js';
import { Time } from './values.js';

interface MeterProps {
  label: string;
  used: number;
  limit: number;
  /** When it starts again from zero; null: never. */
  resetsAt?: string | null;
  isMoney?: boolean;
}

/** How much of a limit is used, and how much is left. Several below each other are aligned. */
export function Meter({ label, used, limit, resetsAt, isMoney = false }: MeterProps): ReactNode {
  const formats = useFormats();
  const show = isMoney ? formats.money : formats.number;
  return (
    <div className="meter">
      <span className="meter-label">{label}</span>
      <meter
        aria-label={label}
        min={0}
        max={limit}
        low={limit * 0.8}
        high={limit * 0.95}
        optimum={0}
        value={Math.min(used, limit)}
      />
      <span className="number">
        {show(used)} of {show(limit)}
      </span>
      <span className="muted">
        {used < limit ? `${show(limit - used)} left` : 'Reached'}
        {resetsAt != null && (
          <>
            {' · resets '}
            <Time at={resetsAt} isRelative />
          </>
        )}
      </span>
    </div>
  );
}
