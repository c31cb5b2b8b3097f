import type { ReactNode } from 'react';
import { reasonName } from '../../buyer/words.js';
import { formText } from '../../lib/formValues.js';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import {
  Facts,
  Form,
  Loaded,
  Money,
  Section,
  TextArea,
  Time,
  Written,
  type Fact,
} from '../../ui/index.js';
import { SidePanel } from '../../ui/data/index.js';
import { LeadName, Name } from '../names.js';
import { DecidedBy, State } from './returnColumns.js';
import type { Decisions } from './useDecisions.js';
import type { Return } from './words.js';

interface ReturnPanelProps {
  row: Return;
  decisions: Decisions;
  onClose(): void;
}

/** One return: why, what accepting it does, and the lead. */
export function ReturnPanel({ row, decisions, onClose }: ReturnPanelProps): ReactNode {
  const mayDecide = useCan('resolve_return');
  const isOpen = row.state === 'requested' && decisions.of(row.id) === undefined;
  const decide = (values: FormData): void =>
    decisions.decide(
      row,
      values.get('act') === 'accept' ? 'accept' : 'reject',
      formText(values, 'note'),
    );
  return (
    <SidePanel
      title={<LeadName {...row} />}
      name="Return"
      href={`/leads/${row.lead_id}`}
      onClose={onClose}
    >
      <div className="stack">
        <p className="return-reason">{reasonName(row.reason)}</p>
        {row.note !== null && (
          <blockquote>
            <Written>{row.note}</Written>
          </blockquote>
        )}
        {row.state === 'requested' && <Effect row={row} />}
        {mayDecide && isOpen && (
          <Form
            onSubmit={decide}
            acts={[
              ['accept', 'Accept', 'primary'],
              ['reject', 'Reject', 'danger'],
            ]}
          >
            <TextArea
              label="Note"
              name="note"
              rows={2}
              maxLength={2_000}
              hint="The buyer sees it with your decision."
            />
          </Form>
        )}
        {!isOpen && <State row={row} decisions={decisions} mayDecide={mayDecide} />}
        <Facts facts={factsOf(row)} />
        {useCan('get_lead') && <Essentials leadId={row.lead_id} />}
      </div>
    </SidePanel>
  );
}

/** What accepting it does to the money and the lead. */
function Effect({ row }: { row: Return }): ReactNode {
  const { money } = useFormats();
  if (row.revenue === null) return <p className="muted">The lead is gone.</p>;
  return (
    <ul className="return-effect">
      <li>Accepting takes back {money(row.revenue)} of revenue.</li>
      <li>
        {row.reverse_cost
          ? `The supplier does not get its ${money(row.cost ?? 0)}.`
          : `The supplier keeps its ${money(row.cost ?? 0)}.`}
      </li>
      <li>{row.resell ? 'The lead is sold again.' : 'The lead is not sold again.'}</li>
    </ul>
  );
}

/** The person, as the lead has it. */
function Essentials({ leadId }: { leadId: string }): ReactNode {
  const lead = useCall('get_lead', { lead_id: leadId });
  return (
    <Section title="Lead">
      <Loaded of={lead}>
        {({ fields }) => (
          <Facts
            facts={Object.entries({ ...fields })
              .slice(0, FIELDS_MAX)
              .map(([name, value]): Fact => [
                name.replaceAll('_', ' '),
                <Written>{String(value)}</Written>,
              ])}
          />
        )}
      </Loaded>
    </Section>
  );
}

const FIELDS_MAX = 12;

const factsOf = (row: Return): Fact[] => [
  ['Buyer', <Name of={row.buyer_name} />],
  ['Campaign', <Name of={row.campaign_name} />],
  ['Supplier', row.supplier_id !== null && <Name of={row.supplier_name} />],
  ['Received', row.lead_at !== null && <Time at={row.lead_at} />],
  ['Sold', row.sold_at !== null && <Time at={row.sold_at} />],
  ['Price', row.price !== null && <Money amount={row.price} />],
  ['Requested', <Time at={row.requested_at} />],
  ['Requested by', <DecidedBy by={row.requested_by} />],
  [
    'Auto-accepts',
    row.state === 'requested' && row.auto_accept_at !== null && <Time at={row.auto_accept_at} />,
  ],
  ['Decided', row.resolved_at !== null && <Time at={row.resolved_at} />],
  ['Decided by', row.resolved_by !== null && <DecidedBy by={row.resolved_by} />],
  [
    'Note of the decision',
    row.resolution_note !== null && <Written>{row.resolution_note}</Written>,
  ],
  ['Not sold again', row.resale_refused !== null && <Written>{row.resale_refused}</Written>],
];
