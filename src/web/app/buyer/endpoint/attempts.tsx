import { useMemo, type ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { usePages, type Attempt } from '../calls.js';
import { EmptyState, Filter, Paged } from '../../ui/index.js';
import { AttemptList } from '../attempt.js';
import { ATTEMPT_OPTIONS } from '../words.js';

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: '', label: 'Any' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
];

/** Deliveries to the buyer, newest first, with their requests and responses. */
export default function Attempts(): ReactNode {
  const [filters, setFilters] = useFilters(['state', 'hours']);
  const { state, hours } = filters;
  // The start must stay the same while the page is open: further pages continue from it.
  const from = useMemo(() => startOf(hours), [hours]);
  const pages = usePages('list_attempts', { state: state as Attempt['state'] | undefined, from });
  const isFiltered = state !== undefined || hours !== undefined;
  const filter = { filters, onChange: setFilters };
  return (
    <>
      <div className="filters">
        <Filter label="State" name="state" options={ATTEMPT_OPTIONS} {...filter} />
        <Filter label="Time" name="hours" options={PERIODS} {...filter} />
      </div>
      <Paged of={pages}>
        {(rows) => (
          <>
            {rows.length === 0 && <NoAttempts isFiltered={isFiltered} />}
            <AttemptList attempts={rows} hasLead />
          </>
        )}
      </Paged>
    </>
  );
}

const NoAttempts = ({ isFiltered }: { isFiltered: boolean }): ReactNode =>
  isFiltered ? (
    <EmptyState title="No attempts match">Choose another state or time.</EmptyState>
  ) : (
    <EmptyState title="No attempts yet">
      Attempts appear here once a lead is sold to you.
    </EmptyState>
  );

function startOf(hours: string | undefined): string | undefined {
  const count = Number(hours);
  if (!(count > 0 && count <= 10_000)) return undefined;
  return new Date(Date.now() - count * HOUR_MS).toISOString();
}
