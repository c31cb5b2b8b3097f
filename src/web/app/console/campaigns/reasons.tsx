/** Why leads were not sold: now, and a week earlier. */
import { SearchCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { EmptyState, Notice, Section, Table, Written, type Column } from '../../ui/index.js';
import type { Flow } from './flowModel.js';

type Reason = Flow['reasons'][number];

interface ReasonsProps {
  flow: Flow;
  leadsHref(filters: Record<string, string>): string;
  /** The days that are compared with, in words. */
  than: string;
}

export function Reasons({ flow, leadsHref, than }: ReasonsProps): ReactNode {
  const { number } = useFormats();
  const isCompared = (flow.before?.total.total_leads ?? 0) > 0;
  return (
    <Section title="Why leads were not sold">
      <Fall flow={flow} than={than} />
      <Table<Reason>
        caption="Why leads were not sold"
        rows={flow.reasons}
        rowKey={({ status, reason, buyer_id, field }) => [status, reason, buyer_id, field].join()}
        empty={
          <EmptyState
            title={
              flow.total.total_leads > 0 ? 'Every decided lead was sold' : 'No lead was decided'
            }
            icon={SearchCheck}
          >
            This table counts why leads are refused or find no buyer.
          </EmptyState>
        }
        columns={[
          {
            header: 'Reason',
            cell: ({ text, status }) => (
              <Link href={leadsHref({ status })}>
                <Written>{text}</Written>
              </Link>
            ),
          },
          { header: 'Leads', isNumber: true, cell: ({ leads }) => number(leads) },
          { header: 'Share', isNumber: true, cell: ({ share_pct }) => `${share_pct}%` },
          ...(isCompared ? comparedColumns(than) : []),
        ]}
      />
    </Section>
  );
}

const comparedColumns = (than: string): Column<Reason>[] => [
  {
    header: `Share ${than}`,
    isNumber: true,
    cell: ({ before }) => (before ? `${before.share_pct}%` : '–'),
  },
  { header: 'Change', isNumber: true, cell: (row) => <Points by={growthOf(row)} /> },
];

/** By how many points its share has grown. */
const growthOf = ({ share_pct, before }: Reason): number =>
  before ? Math.round((share_pct - before.share_pct) * 10) / 10 : 0;

function Points({ by }: { by: number }): ReactNode {
  if (by === 0) return <span className="muted">–</span>;
  const tone = by > 0 ? 'bad' : 'good';
  return <b className={tone}>{`${by > 0 ? '+' : '−'}${Math.abs(by)} points`}</b>;
}

/** A change of acceptance by fewer points is noise. */
const FALL_MIN = 3;

/** Says what acceptance fell by, and for which reasons. */
function Fall({ flow, than }: Pick<ReasonsProps, 'flow' | 'than'>): ReactNode {
  const { total, before, reasons } = flow;
  if (!before || before.total.total_leads === 0 || total.total_leads === 0) return null;
  const fall = Math.round((before.total.acceptance_pct - total.acceptance_pct) * 10) / 10;
  if (fall < FALL_MIN) return null;
  const grown = reasons
    .filter((reason) => growthOf(reason) > 0)
    .toSorted((a, b) => growthOf(b) - growthOf(a))
    .slice(0, 2);
  return (
    <Notice
      tone="warning"
      title={`Acceptance is ${total.acceptance_pct}%, ${fall} points lower than ${than}.`}
    >
      {grown.length > 0 && (
        <ul className="plain">
          {grown.map((one) => (
            <li key={one.text}>
              <Written>{one.text}</Written>: <Points by={growthOf(one)} /> of all leads
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
