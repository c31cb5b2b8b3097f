import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Written } from '../ui/index.js';
import type { Sale } from './calls.js';
import { TestMark } from './words.js';

/** Links to the page of a lead, under what the list shows of it. */
export function LeadLink({ of }: { of: Sale }): ReactNode {
  return (
    <>
      {of.is_test && <TestMark />}{' '}
      <Link href={`/leads/${encodeURIComponent(of.lead_id)}`}>
        {of.fields.length === 0 && shortId(of.lead_id)}
        <span className="several">
          {of.fields.map(({ name, value }, at) => (
            <Fragment key={name}>
              {at > 0 && ' · '}
              <Written>{String(value)}</Written>
            </Fragment>
          ))}
        </span>
      </Link>
      {of.is_erased && <span className="muted"> (data deleted)</span>}
    </>
  );
}

/** Links to the page of a lead, by its id alone. */
export const ShortLead = ({ id }: { id: string }): ReactNode => (
  <Link href={`/leads/${encodeURIComponent(id)}`}>{shortId(id)}</Link>
);

/** Enough of an id to distinguish it in a list: it begins with the time of the lead, to the millisecond (RFC 9562). */
export const shortId = (id: string): string => (id.length > 22 ? `${id.slice(0, 18)}…` : id);
