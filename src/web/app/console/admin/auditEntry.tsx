import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCall, type RowOf } from '../../lib/useActions.js';
import { Chip, EmptyState, Facts, Section, Table, Time, Written } from '../../ui/index.js';
import { recordLinks, settingsOf, valueBefore, valueWords, type RecordLink } from './auditWords.js';

export type AuditEntry = RowOf<'list_audit'>;

/** The person, key or process that called. */
export function Who({ of }: { of: AuditEntry }): ReactNode {
  const { person, key, party } = of;
  return (
    <span>
      <Written>{person?.name ?? key?.name ?? '–'}</Written>
      {key !== null && <span className="muted"> (key)</span>}
      {party !== null && <span className="muted"> ({party.kind}&apos;s portal)</span>}
    </span>
  );
}

export function Outcome({ of }: { of: Pick<AuditEntry, 'outcome'> }): ReactNode {
  if (of.outcome === 'done') return <Chip tone="good">Done</Chip>;
  if (of.outcome === 'refused') return <Chip tone="warning">Refused</Chip>;
  return of.outcome === 'failed' ? <Chip tone="bad">Failed</Chip> : <Chip>Not recorded</Chip>;
}

export const RecordLinks = ({ of }: { of: readonly RecordLink[] }): ReactNode =>
  of.length === 0 ? (
    <span className="muted">–</span>
  ) : (
    <span className="admin-parts">
      {of.map(({ id, kind, href }) => (
        <Link key={`${kind} ${id}`} href={href} title={id}>
          {kind} {id.slice(0, 8)}
        </Link>
      ))}
    </span>
  );

/** How many earlier calls are looked through for what a setting was before. */
const EARLIER_MAX = 50;

/** One call: who, when, on what, and each setting beside what it was before. */
export function Entry({ of }: { of: AuditEntry }): ReactNode {
  const settings = settingsOf(of);
  const record = of.records.at(-1);
  const earlier = useCall(
    'list_audit',
    { record_id: record, limit: EARLIER_MAX },
    { isOff: record === undefined || settings.length === 0 },
  );
  const others = earlier.data ?? [];
  return (
    <div className="stack">
      <Facts
        facts={[
          ['When', <Time key="at" at={of.at} />],
          ['By', <Who key="who" of={of} />],
          ['Result', <Outcome key="outcome" of={of} />],
          ['Refused because', of.error !== null && <Written>{of.error}</Written>],
          ['On', <RecordLinks key="records" of={recordLinks(of)} />],
        ]}
      />
      <Section title="What was set">
        <Table
          caption="Settings before and after"
          rows={settings}
          rowKey={([key]) => key}
          empty={<EmptyState title="The call set nothing by itself" />}
          columns={[
            { header: 'Setting', cell: ([key]) => key.replaceAll('_', ' ') },
            {
              header: 'Before',
              cell: ([key]) => <Before of={valueBefore(of, key, others)} />,
            },
            {
              header: 'After',
              cell: ([, value]) => <ins className="admin-value">{valueWords(value)}</ins>,
            },
          ]}
        />
        <p className="muted">
          Before is what the previous call set. Values that no call has set are not recorded here.
        </p>
      </Section>
    </div>
  );
}

function Before({ of }: { of: ReturnType<typeof valueBefore> }): ReactNode {
  if (!of) return <span className="muted">Not recorded</span>;
  return (
    <>
      <del className="admin-value">{valueWords(of.value)}</del>{' '}
      <span className="muted">
        <Time at={of.at} isRelative />
      </span>
    </>
  );
}
