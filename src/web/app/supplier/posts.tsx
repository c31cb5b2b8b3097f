/** The log of a supplier's posts: the answers and their reasons. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../lib/route.js';
import { useSession } from '../lib/session.js';
import { usePages } from './calls.js';
import { Button, EmptyState, Loaded, Page, Pager, Select, type Option } from '../ui/index.js';
import { CampaignFilter } from './campaignFilter.js';
import { daysBefore, isDay, startOfDay } from './calendar.js';
import { DayFilter } from './dayFilter.js';
import { Download } from './download.js';
import { PostTable } from './postTable.js';
import { TestBand } from './testBand.js';
import { LEAD_STATUSES, statusWord } from './words.js';

const NAMES = ['kind', 'test', 'campaign', 'status', 'from', 'to'] as const;
type Filters = Partial<Record<(typeof NAMES)[number], string>>;

const KINDS: readonly Option[] = [
  { value: '', label: 'Leads and pings' },
  { value: 'lead', label: 'Leads' },
  { value: 'ping', label: 'Pings' },
];
const TESTS: readonly Option[] = [
  { value: '', label: 'Live' },
  { value: 'yes', label: 'Tests' },
];
const STATUSES: readonly Option[] = [
  { value: '', label: 'All' },
  ...LEAD_STATUSES.map((value) => ({ value, label: statusWord(value).label })),
];

/** The filters of the address, as the call takes them; unknown ones are left out. */
function inputOf(filters: Filters, timeZone: string) {
  const status = LEAD_STATUSES.find((one) => one === filters.status);
  const kind = (['lead', 'ping'] as const).find((one) => one === filters.kind);
  return {
    ...(kind ? { kind } : {}),
    ...(filters.test ? { is_test: true } : {}),
    ...(filters.campaign ? { campaign_id: filters.campaign } : {}),
    ...(status ? { status } : {}),
    ...(isDay(filters.from) ? { from: startOfDay(filters.from, timeZone) } : {}),
    // The whole of the last day.
    ...(isDay(filters.to) ? { to: startOfDay(daysBefore(filters.to, -1), timeZone) } : {}),
  };
}

export default function Posts(): ReactNode {
  const [filters, setFilters] = useFilters(NAMES);
  const input = inputOf(filters, useSession().me.organization.time_zone);
  const pages = usePages('list_posts', input);
  return (
    <Page title="Posts" actions={<Download file="posts.csv" input={input} />}>
      {filters.test && <TestBand>Only test posts are listed.</TestBand>}
      <FilterBar filters={filters} onChange={setFilters} />
      <Loaded of={pages}>
        {(posts) => (
          <>
            <PostTable posts={posts} empty={<NoPosts filters={filters} onChange={setFilters} />} />
            <Pager {...pages} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface FilterProps {
  filters: Filters;
  onChange(changes: Filters): void;
}

function FilterBar({ filters, onChange }: FilterProps): ReactNode {
  const [from, to] = [filters.from, filters.to].map((day) => (isDay(day) ? day : undefined));
  return (
    <div className="filters">
      <Select
        label="Kind"
        name="kind"
        value={filters.kind ?? ''}
        onChange={(event) => onChange({ kind: event.target.value })}
        options={KINDS}
      />
      <Select
        label="Live or tests"
        name="test"
        value={filters.test ?? ''}
        onChange={(event) => onChange({ test: event.target.value })}
        options={TESTS}
      />
      <CampaignFilter value={filters.campaign} onChange={(campaign) => onChange({ campaign })} />
      <Select
        label="Status of leads"
        name="status"
        value={filters.status ?? ''}
        onChange={(event) => onChange({ status: event.target.value })}
        options={STATUSES}
      />
      <DayFilter from={from} to={to} onChange={onChange} />
    </div>
  );
}

function NoPosts({ filters, onChange }: FilterProps): ReactNode {
  const isNarrowed = NAMES.some((name) => filters[name]);
  if (!isNarrowed)
    return (
      <EmptyState title="No posts yet">
        Read the <Link href="/guide">posting guide</Link>, then send a test lead from the{' '}
        <Link href="/console">test console</Link>.
      </EmptyState>
    );
  const everything = Object.fromEntries(NAMES.map((name) => [name, '']));
  return (
    <EmptyState title="No post matches the filters">
      <Button onClick={() => onChange(everything)}>Clear the filters</Button>
    </EmptyState>
  );
}
