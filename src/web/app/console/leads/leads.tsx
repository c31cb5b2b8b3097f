import { Search } from 'lucide-react';
import { lazy, Suspense, useId, useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import type { ApiError } from '../../lib/api.js';
import { CsvButton } from '../../lib/csvButton.js';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import type { Pages } from '../../lib/useCalls.js';
import { Button, EmptyState, Notice, Page } from '../../ui/index.js';
import { FilterBar, PagedDataTable, readSpan, useToday, WithPanel } from '../../ui/data/index.js';
import { LEAD_COLUMNS } from './columns.js';
import { CustomCsv } from './customCsv.js';
import { FILTER_NAMES, inputOf, LEAD_FILTERS, liveQueryOf, type LeadFilters } from './filters.js';
import './leads.css';
import { SavedViews } from './savedViews.js';
import { useLiveLeads } from './useLiveLeads.js';
import type { LeadRow } from './words.js';

const LeadActs = lazy(() => import('./bulk.js'));
const LeadPanel = lazy(() => import('./panel.js'));

const HREF = ({ id }: LeadRow): string => `/leads/${encodeURIComponent(id)}`;
/** Rows of a page. */
const PAGE_ROWS = 50;
/** Of the address, what a saved view does not keep. */
const NOT_KEPT = ['lead', 'live'];

/** Every lead: found, filtered, followed as they arrive, and opened beside the list. */
export default function LeadsScreen(): ReactNode {
  const [{ search }, change] = useFilters(['search']);
  const canSearch = useCan('search');
  // A role that sees no people cannot search for one, but a copied link may ask it to.
  return canSearch || !search ? (
    <Leads />
  ) : (
    <Page title="Leads">
      <EmptyState title="Your role does not see people">
        This address searches for one.{' '}
        <Button onClick={() => change({ search: '' })}>Show all leads</Button>
      </EmptyState>
    </Page>
  );
}

function Leads(): ReactNode {
  const [values, change] = useFilters(FILTER_NAMES);
  const [{ lead: open, live }, show] = useFilters(['lead', 'live']);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** From the first selection on: a dialog goes on when its selection is over. */
  const [isActing, setIsActing] = useState(false);
  const select = (ids: ReadonlySet<string>): void => {
    setSelected(ids);
    if (ids.size > 0) setIsActing(true);
  };
  const canAct = useCan('request_returns');
  const canExport = useCan('export_leads');
  const canSearch = useCan('search');
  const today = useToday();
  const span = readSpan(values.days, today);
  const input = inputOf(values, span);
  const found = usePages('get_leads', { ...input, limit: PAGE_ROWS });
  const leads: Pages<readonly LeadRow[]> = { ...found, data: found.data?.leads };
  const liveQuery = liveQueryOf(values, span, today);
  const feed = useLiveLeads(live === '1' ? liveQuery : null);
  const readNew = (): void => {
    feed.clear();
    found.retry();
  };
  return (
    <Page
      title="Leads"
      how={{ action: 'get_leads', input }}
      actions={
        <>
          <LiveSwitch
            isOn={live === '1'}
            isPossible={liveQuery !== null}
            isConnected={feed.isConnected}
            onChange={(isOn) => show({ live: isOn ? '1' : '' })}
          />
          {canExport && <CustomCsv input={input} />}
          {canExport && <CsvButton action="export_leads" input={input} />}
        </>
      }
    >
      {canSearch && (
        <SearchField value={values.search ?? ''} onChange={(search) => change({ search })} />
      )}
      <FilterBar filters={LEAD_FILTERS} values={values} onChange={change}>
        <SavedViews screen="leads" leftOut={NOT_KEPT} columnsOf="leads" />
      </FilterBar>
      {feed.count > 0 && (
        <Button kind="primary" onClick={readNew}>
          Show {feed.count} new {feed.count === 1 ? 'lead' : 'leads'}
        </Button>
      )}
      {isTooRare(found.error) ? (
        <TooRare values={values} message={found.error.message} onChange={change} />
      ) : (
        <WithPanel
          panel={
            open && (
              <Suspense>
                <LeadPanel leadId={open} onClose={() => show({ lead: '' })} />
              </Suspense>
            )
          }
        >
          <PagedDataTable
            of={leads}
            caption="Leads, newest first"
            columns={LEAD_COLUMNS}
            rowKey={({ id }) => id}
            rowHref={HREF}
            onOpen={({ id }) => show({ lead: id })}
            activeKey={open}
            selection={canAct ? { selected, onChange: select } : undefined}
            storageKey="leads"
            empty={<NoLeads values={values} onChange={change} />}
          />
          {isActing && (
            <Suspense>
              <LeadActs selected={selected} onClear={() => select(new Set())} />
            </Suspense>
          )}
        </WithPanel>
      )}
    </Page>
  );
}

interface LiveSwitchProps {
  isOn: boolean;
  isPossible: boolean;
  isConnected: boolean;
  onChange(isOn: boolean): void;
}

function LiveSwitch({ isOn, isPossible, isConnected, onChange }: LiveSwitchProps): ReactNode {
  const state = !isOn || !isPossible ? 'off' : isConnected ? 'on' : 'connecting';
  return (
    <Button
      kind="quiet"
      aria-pressed={isOn && isPossible}
      disabled={!isPossible}
      title={
        isPossible ? undefined : 'Live needs a list without a search, an outcome or past days.'
      }
      onClick={() => onChange(!isOn)}
    >
      <span className={`live-dot ${state}`} aria-hidden="true" />
      Live{state === 'connecting' && '…'}
    </Button>
  );
}

interface SearchFieldProps {
  value: string;
  onChange(value: string): void;
}

function SearchField({ value, onChange }: SearchFieldProps): ReactNode {
  const id = useId();
  return (
    <form
      key={value}
      className="lead-search"
      role="search"
      aria-label="Search leads"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('search');
        onChange(typeof typed === 'string' ? typed.trim() : '');
      }}
    >
      <label htmlFor={id} className="hidden">
        Search by phone, email, name or click ID
      </label>
      <Search size={16} aria-hidden />
      <input
        id={id}
        name="search"
        type="search"
        data-search
        dir="auto"
        autoComplete="off"
        maxLength={200}
        placeholder="Phone, email, name or click ID"
        defaultValue={value}
      />
      <Button type="submit">Search</Button>
    </form>
  );
}

/** The service stopped: with these filters together the page cannot be found in time. */
const isTooRare = (error: ApiError | null): error is ApiError => error?.code === 'action_refused';

interface FilteredProps {
  values: LeadFilters;
  onChange(changes: LeadFilters): void;
}

function TooRare({ values, message, onChange }: FilteredProps & { message: string }): ReactNode {
  return (
    <Notice tone="warning" title="Too few leads match to find them in time">
      <p>{message}</p>
      <div className="actions">
        {values.days !== '7d' && (
          <Button onClick={() => onChange({ days: '7d' })}>Only the last 7 days</Button>
        )}
        {values.status && <Button onClick={() => onChange({ status: '' })}>Any status</Button>}
        {values.outcome && <Button onClick={() => onChange({ outcome: '' })}>Any outcome</Button>}
      </div>
    </Notice>
  );
}

/** What to do about a list without rows: look wider, or send the first lead. */
function NoLeads({ values, onChange }: FilteredProps): ReactNode {
  const [, setParams] = useSearchParams();
  const { search, ...filters } = values;
  if (search)
    return (
      <EmptyState title="No lead matches this search">
        <p>
          Whole phones, emails and names are found in every case; parts only by the command palette.
        </p>
        <Button onClick={() => onChange({ search: '' })}>Clear search</Button>
      </EmptyState>
    );
  if (Object.keys(filters).length > 0)
    return (
      <EmptyState title="No lead matches these filters">
        <Button onClick={() => setParams(new URLSearchParams())}>Clear filters</Button>
      </EmptyState>
    );
  return (
    <EmptyState title="No leads yet">
      <p>They appear here as soon as a supplier posts the first one. Try it with a test lead.</p>
      <Button onClick={() => onChange({ is_test: 'true' })}>Show test leads</Button>
    </EmptyState>
  );
}
