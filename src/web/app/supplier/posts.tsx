/** The log of a supplier's posts: the responses and their reasons. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../lib/route.js';
import { useSession } from '../lib/session.js';
import { usePages } from './calls.js';
import { Button, EmptyState, Filter, Page, Paged, type Option } from '../ui/index.js';
import { CampaignFilter } from './campaignChoice.js';
import { daysBefore, isDay, startOfDay } from './calendar.js';
import { DayFilter } from './dayFilter.js';
import { DownloadLink } from '../lib/downloadLink.js';
import { PostTable } from './postTable.js';
import { LEAD_STATUSES, statusName, TestBand } from './words.js';

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
  ...LEAD_STATUSES.map((value) => ({ value, label: statusName(value) })),
];

/** The filters of the address, as the call takes them; unknown ones are left out. */
function inputOf(filters: Filters, timeZone: string) {
  const status = LEAD_STATUSES.find((one) => one === filters.status);
  const kind = (['lead', 'ping'] as const).find((one) => one === filters.kind);
  return {
    kind,
    is_test: filters.test ? true : undefined,
    campaign_id: filters.campaign,
    status,
    from: isDay(filters.from) ? startOfDay(filters.from, timeZone) : undefined,
    // The whole of the last day.
    to: isDay(filters.to) ? startOfDay(daysBefore(filters.to, -1), timeZone) : undefined,
  };
}

export default function Posts(): ReactNode {
  const [filters, setFilters] = useFilters(NAMES);
  const input = inputOf(filters, useSession().me.organization.time_zone);
  const pages = usePages('list_posts', input);
  return (
    <Page title="Posts" actions={<DownloadLink file="posts.csv" input={input} />}>
      {filters.test && <TestBand>Only test posts are listed.</TestBand>}
      <FilterBar filters={filters} onChange={setFilters} />
      <Paged of={pages}>
        {(posts) => (
          <PostTable posts={posts} empty={<NoPosts filters={filters} onChange={setFilters} />} />
        )}
      </Paged>
    </Page>
  );
}

interface FilterProps {
  filters: Filters;
  onChange(changes: Filters): void;
}

function FilterBar(props: FilterProps): ReactNode {
  const { filters, onChange } = props;
  const [from, to] = [filters.from, filters.to].map((day) => (isDay(day) ? day : undefined));
  return (
    <div className="filters">
      <Filter label="Kind" name="kind" options={KINDS} {...props} />
      <Filter label="Live or tests" name="test" options={TESTS} {...props} />
      <CampaignFilter {...props} />
      <Filter label="Lead status" name="status" options={STATUSES} {...props} />
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
    <EmptyState title="No posts match the filters">
      <Button onClick={() => onChange(everything)}>Clear filters</Button>
    </EmptyState>
  );
}
