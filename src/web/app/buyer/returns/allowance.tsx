import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import type { Allowance } from '../types.js';

/** How many leads may still be returned, and until when. */
export function AllowanceText({ of }: { of: Allowance }): ReactNode {
  const { number } = useFormats();
  if (!of.allowed) return <p className="muted">Returns are not part of your terms.</p>;
  return (
    <>
      <ul className="plain">
        {of.months.map(({ month, bought, returned, most, left }) => (
          <li key={month}>
            <strong>{month}</strong>:{' '}
            {left === null || most === null
              ? `${number(returned)} returned of ${number(bought)} leads; any number may be.`
              : `${number(left)} left of ${number(most)}: ${number(returned)} returned of ${number(bought)} leads.`}
          </li>
        ))}
      </ul>
      <p className="muted">
        {of.max_age_days === null
          ? 'A lead of any age may be returned.'
          : `A lead may be returned for ${number(of.max_age_days)} days after its sale.`}
        {of.auto_accept_hours !== null &&
          ` An undecided request is accepted after ${number(of.auto_accept_hours)} hours.`}
      </p>
    </>
  );
}
