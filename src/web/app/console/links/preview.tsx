import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useFilters } from '../../lib/route.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import {
  changeOf,
  EmptyState,
  ErrorState,
  Filter,
  Section,
  Skeleton,
  Table,
  Tile,
  Tiles,
  Time,
  Written,
} from '../../ui/index.js';
import { CampaignFrame } from '../campaigns/frame.js';
import { useDraft } from './draft.js';
import { LeaveGuard } from './leaveGuard.js';
import { NewerVersion } from './newerVersion.js';
import type { Campaign } from './rows.js';
import { SaveLinks } from './saveLinks.js';
import { linksOf, useSaveLinks } from './useSaveLinks.js';
import './links.css';

type Preview = OutputOf<'preview_routing'>;

const LEADS = [100, 250, 500].map((count) => ({
  value: count === 100 ? '' : String(count),
  label: `Newest ${count} leads`,
}));

/** What the newest leads would have done with the changes that are not saved yet. */
export default function PreviewScreen(): ReactNode {
  const { id = '' } = useParams();
  return (
    <CampaignFrame id={id} how={{ action: 'preview_routing', input: { campaign_id: id } }}>
      {(campaign) => <PreviewOf campaign={campaign} />}
    </CampaignFrame>
  );
}

function PreviewOf({ campaign }: { campaign: Campaign }): ReactNode {
  const [, navigate] = useLocation();
  const [filters, change] = useFilters(['leads']);
  const handle = useDraft(campaign.id);
  const saving = useSaveLinks(campaign, handle);
  const links = linksOf(handle.draft);
  const isEmpty = !links.buyers?.length && !links.suppliers?.length;
  const leads = LEADS.some(({ value }) => value === filters.leads) ? Number(filters.leads) : 100;
  const of = useCall(
    'preview_routing',
    { campaign_id: campaign.id, ...links, leads, only_changed: true },
    { isOff: isEmpty },
  );
  return (
    <>
      <LeaveGuard campaign={campaign} count={handle.count} />
      <NewerVersion campaign={campaign} isEditing={handle.count > 0} />
      {isEmpty ? (
        <EmptyState title="Nothing is changed yet">
          Change prices, caps, hours or pauses of its{' '}
          <Link href={`/campaigns/${campaign.id}/buyers`}>buyers</Link> or{' '}
          <Link href={`/campaigns/${campaign.id}/suppliers`}>suppliers</Link>: here you see what the
          newest leads would have done with them, before you save.
        </EmptyState>
      ) : (
        <>
          <div className="link-filters">
            <Filter
              label="Compare"
              name="leads"
              options={LEADS}
              filters={filters}
              onChange={change}
            />
          </div>
          {of.data && <Result preview={of.data} />}
          {of.error && <ErrorState error={of.error} retry={() => void of.refetch()} />}
          {of.isFetching && !of.data && <Progress leads={leads} />}
        </>
      )}
      <SaveLinks
        saving={saving}
        handle={handle}
        campaign={campaign}
        isPreview
        onGoTo={(side, { row, column }) =>
          navigate(`/campaigns/${campaign.id}/${side}s?${side}=${row}&focus=${column}`)
        }
      />
    </>
  );
}

/** After a second it says what takes so long. */
function Progress({ leads }: { leads: number }): ReactNode {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      {seconds > 0 && (
        <p role="status">
          Deciding {leads} leads again, for {seconds} s…
        </p>
      )}
      <Skeleton kind="tiles" />
      <Skeleton kind="table" />
    </>
  );
}

function Result({ preview }: { preview: Preview }): ReactNode {
  const formats = useFormats();
  const { totals } = preview;
  const { before, after } = totals;
  const than = (value: string) => `instead of ${value}`;
  const money = (key: 'revenue' | 'cost' | 'profit', good: 'up' | 'down') => ({
    value: formats.money(after[key]),
    change: changeOf(after[key], before[key], { good, than: than(formats.money(before[key])) }),
  });
  return (
    <>
      <Tiles>
        <Tile
          label="Leads compared"
          value={formats.number(totals.leads)}
          hint={`${formats.number(totals.changed)} would do something else`}
        />
        <Tile
          label="Accepted"
          value={formats.number(after.sold)}
          change={changeOf(after.sold, before.sold, {
            good: 'up',
            than: than(formats.number(before.sold)),
          })}
        />
        <Tile label="Revenue" {...money('revenue', 'up')} />
        <Tile label="Cost" {...money('cost', 'down')} />
        <Tile label="Profit" {...money('profit', 'up')} />
      </Tiles>
      <p className="muted">
        Decided again at their own time. A buyer that was asked gives the answer it gave; one that
        was not is taken to accept
        {totals.assumed > 0 && `: so for ${formats.number(totals.assumed)} leads`}. Caps count these
        leads alone.
        {totals.left_out > 0 &&
          ` ${formats.number(totals.left_out)} leads are left out: they have no decision yet.`}
      </p>
      <Section title="Buyers">
        <Buyers preview={preview} />
      </Section>
      <Section title="Leads that go elsewhere">
        <Moved preview={preview} />
      </Section>
    </>
  );
}

type BuyerRow = Preview['buyers'][number];

function Buyers({ preview }: { preview: Preview }): ReactNode {
  const formats = useFormats();
  return (
    <Table
      caption="What each buyer would have bought"
      rows={preview.buyers.toSorted((a, b) => moved(b) - moved(a))}
      rowKey={({ buyer_id }) => buyer_id}
      empty={<EmptyState title="No lead is sold, before or after" />}
      columns={[
        { header: 'Buyer', cell: ({ name }) => <Written>{name ?? 'Deleted buyer'}</Written> },
        {
          header: 'Leads',
          isNumber: true,
          cell: ({ sales_before, sales_after }) => (
            <Arrow before={formats.number(sales_before)} after={formats.number(sales_after)} />
          ),
        },
        {
          header: 'Revenue',
          isNumber: true,
          cell: ({ revenue_before, revenue_after }) => (
            <Arrow before={formats.money(revenue_before)} after={formats.money(revenue_after)} />
          ),
        },
      ]}
    />
  );
}

const moved = (one: BuyerRow): number => Math.abs(one.revenue_after - one.revenue_before);

const Arrow = ({ before, after }: { before: string; after: string }): ReactNode =>
  before === after ? (
    <span className="muted">{after}</span>
  ) : (
    <>
      <span className="muted">{before}</span>
      <span aria-hidden> → </span>
      <span className="hidden"> then </span>
      <strong>{after}</strong>
    </>
  );

type Lead = Preview['leads'][number];

function Moved({ preview }: { preview: Preview }): ReactNode {
  const formats = useFormats();
  return (
    <Table
      caption="Leads that would do something else"
      rows={preview.leads}
      rowKey={({ lead_id }) => lead_id}
      empty={<EmptyState title="Every lead would go where it went" />}
      columns={[
        {
          header: 'Lead',
          cell: ({ lead_id, created_at }) => (
            <Link href={`/leads/${lead_id}`}>
              <Time at={created_at} />
            </Link>
          ),
        },
        { header: 'Went to', cell: ({ before }) => <Where end={before} /> },
        { header: 'Would go to', cell: ({ after }) => <Where end={after} reason={after.reason} /> },
        {
          header: 'Revenue',
          isNumber: true,
          cell: ({ before, after }) => (
            <Arrow before={formats.money(before.revenue)} after={formats.money(after.revenue)} />
          ),
        },
      ]}
    />
  );
}

function Where({ end, reason = null }: { end: Lead['before']; reason?: string | null }): ReactNode {
  const names = end.buyers.map(({ name }) => name ?? 'Deleted buyer');
  if (names.length > 0) return <Written>{names.join(', ')}</Written>;
  return (
    <span className="muted">Not sold{reason !== null && `: ${reason.replaceAll('_', ' ')}`}</span>
  );
}
