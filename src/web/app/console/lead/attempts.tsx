import { ChevronRight } from 'lucide-react';
import { Fragment, useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import { EmptyState, Paged, Time } from '../../ui/index.js';
import { AttemptDetail } from './attempt.js';
import { shown } from './person.js';
import { DeliveryState, type Delivery, type Lead } from './words.js';

/** Every attempt to sell it, the newest first; each opens to its request and answer. */
export function Attempts({ lead }: { lead: Lead }): ReactNode {
  const may = useCan('list_deliveries');
  const deliveries = usePages('list_deliveries', { lead_id: lead.id, limit: 50 });
  if (!may) return <EmptyState title="Your role does not see deliveries" />;
  return (
    <Paged of={deliveries}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title="It was sent to no buyer" />
        ) : (
          <AttemptTable rows={rows} />
        )
      }
    </Paged>
  );
}

const HEADS = ['Buyer', 'Result', 'Answer', 'Sent', 'Time'];

function AttemptTable({ rows }: { rows: readonly Delivery[] }): ReactNode {
  // A single attempt is what one came for.
  const [open, setOpen] = useState<string | null>(rows.length === 1 ? (rows[0]?.id ?? null) : null);
  return (
    <div className="table-scroll" role="region" aria-label="Attempts" tabIndex={0}>
      <table className="lead-attempts">
        <caption className="hidden">Attempts to sell it</caption>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.id}>
              <AttemptRow
                row={row}
                isOpen={open === row.id}
                onToggle={() => setOpen(open === row.id ? null : row.id)}
              />
              {open === row.id && (
                <tr className="lead-attempt-detail">
                  <td colSpan={HEADS.length}>
                    <AttemptDetail id={row.id} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  row: Delivery;
  isOpen: boolean;
  onToggle(): void;
}

function AttemptRow({ row, isOpen, onToggle }: RowProps): ReactNode {
  const reason = shown(row.reason);
  return (
    <tr>
      <th scope="row">
        <button type="button" className="lead-toggle" aria-expanded={isOpen} onClick={onToggle}>
          <ChevronRight size={16} aria-hidden />
          <bdi>{row.buyer_name ?? 'A deleted buyer'}</bdi>
        </button>
      </th>
      <td>
        <DeliveryState of={row.state} />
      </td>
      <td>
        {row.http_status !== null && <code>{row.http_status}</code>}{' '}
        {reason !== null && <bdi className="written lead-why">{reason}</bdi>}
        {row.why !== null && <span className="muted">{row.why}</span>}
      </td>
      <td>
        <Time at={row.created_at} />
        {row.tries !== 1 && <span className="muted"> · {row.tries} tries</span>}
      </td>
      <td className="number">
        {row.latency_ms === null ? '–' : `${row.latency_ms.toLocaleString('en-US')} ms`}
      </td>
    </tr>
  );
}
