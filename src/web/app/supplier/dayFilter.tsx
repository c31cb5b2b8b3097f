/** The days of a list, which narrow it as soon as they are typed in full. */
import { useState, type ReactNode } from 'react';
import { DateRange } from '../ui/index.js';
import { isDay } from './calendar.js';

interface Days {
  from?: string;
  to?: string;
}

interface DayFilterProps extends Days {
  /** Gets days in full, or empty text for a day that the person has removed. */
  onChange(days: { from?: string; to?: string }): void;
}

/** A field keeps what is typed until the person leaves it: a half-typed day neither changes the list nor is replaced. */
export function DayFilter({ from, to, onChange }: DayFilterProps): ReactNode {
  const [typed, setTyped] = useState<Days>({});
  const leave = (isPart: boolean): void => {
    setTyped({});
    if (isPart) return;
    if (typed.from === '' && from !== undefined) onChange({ from: '' });
    if (typed.to === '' && to !== undefined) onChange({ to: '' });
  };
  return (
    <DateRange
      from={typed.from ?? from}
      to={typed.to ?? to}
      onChange={(changed) => {
        setTyped({ ...typed, ...changed });
        if (Object.values(changed).every(isDay)) onChange(changed);
      }}
      onLeave={leave}
    />
  );
}
