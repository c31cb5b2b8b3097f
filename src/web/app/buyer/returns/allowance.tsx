import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import type { Allowance } from '../calls.js';

/** How many leads may still be returned, and until when. */
export function AllowanceText({ of }: { of: Allowance }): ReactNode {
  const { number } = useFormats();
  if (!of.allowed) return <p className="muted">Your terms do not include returns.</p>;
  return (
    <>
      <ul className="plain">
        {of.months.map(({ month, bought, returned, most, left }) => (
          <li key={month}>
            <strong>{month}</strong>:{' '}
            {left === null || most === null
              ? `${number(returned)} of ${number(bought)} leads returned, no limit`
              : `${number(left)} of ${number(most)} returns left (${number(returned)} of ${number(bought)} leads returned)`}
          </li>
        ))}
      </ul>
      <p className="muted">
        {of.max_age_days === null
          ? 'Leads of any age can be returned.'
          : `Leads can be returned for ${number(of.max_age_days)} days after the sale.`}
        {of.auto_accept_hours !== null &&
          ` Undecided requests are accepted after ${number(of.auto_accept_hours)} hours.`}
      </p>
    </>
  );
}
