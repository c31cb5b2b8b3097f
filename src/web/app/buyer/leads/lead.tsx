import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall, type SaleDetail, type SaleReturn } from '../calls.js';
import {
  Copied,
  EmptyState,
  Facts,
  Loaded,
  Money,
  Notice,
  Page,
  Section,
  Time,
  Written,
} from '../../ui/index.js';
import { AttemptList } from '../attempt.js';
import { shortId } from '../leadLink.js';
import { OutcomeName, reasonName, ReturnStatus, SaleStatus, TestMark } from '../words.js';
import { OutcomeForm } from './outcomeForm.js';
import { ReturnForm } from './returnForm.js';

const LEADS = [{ href: '/leads', label: 'Leads' }];

/** One lead that the buyer bought: what the buyer may see of it, its deliveries, and the buyer's reports about it. */
export default function Lead(): ReactNode {
  const { lead } = useParams<{ lead: string }>();
  const sale = useCall('get_sale', { lead_id: lead });
  return (
    <Page
      title={(sale.data && personOf(sale.data)) ?? `Lead ${shortId(lead)}`}
      status={sale.data && <SaleStatus of={sale.data.status} />}
      crumbs={LEADS}
    >
      <Loaded of={sale} shape="cards">
        {(data) => <Sale sale={data} />}
      </Loaded>
    </Page>
  );
}

/** Undefined where the seller does not show the name. */
function personOf({ fields }: SaleDetail): string | undefined {
  const valueOf = (field: string): string =>
    String(fields.find(({ name }) => name === field)?.value ?? '');
  const name = `${valueOf('first_name')} ${valueOf('last_name')}`.trim() || valueOf('full_name');
  return name === '' ? undefined : name;
}

function Sale({ sale }: { sale: SaleDetail }): ReactNode {
  const mayRecord = useCan('record_outcome');
  const mayReturn = useCan('request_return');
  return (
    <>
      {sale.is_test && (
        <Notice title={<TestMark />}>
          <p>Test lead: the data is made up, and it is free of charge.</p>
        </Notice>
      )}
      <div className="columns">
        <div className="stack">
          <Section title="Data">
            <div className="card">
              <Fields sale={sale} />
            </div>
          </Section>
          <Section title="Delivery">
            {sale.attempts.length === 0 && <EmptyState title="Not sent yet" />}
            <AttemptList attempts={sale.attempts} />
          </Section>
        </div>
        <div className="stack">
          <Section title="Sale">
            <div className="card">
              <Facts
                facts={[
                  ['Campaign', <bdi>{sale.campaign.name}</bdi>],
                  ['Received', <Time at={sale.received_at} />],
                  ['Sold to you', <Time at={sale.sold_at} />],
                  ['Price', <Money amount={sale.price} />],
                  ['Charged', <Money amount={sale.charged} />],
                  ['Lead ID', <Copied text={sale.lead_id} of="the lead ID" />],
                ]}
              />
            </div>
          </Section>
          <Section title="Outcome">
            <ReportedOutcome sale={sale} />
            {mayRecord && <OutcomeForm key={sale.lead_id} sale={sale} />}
          </Section>
          {(mayReturn || sale.returns.length > 0) && (
            <Section title="Return">
              {sale.returns.map((one) => (
                <ReturnCard key={one.id} of={one} />
              ))}
              {mayReturn && <ReturnForm sale={sale} />}
            </Section>
          )}
        </div>
      </div>
    </>
  );
}

function Fields({ sale: { is_erased, fields } }: { sale: SaleDetail }): ReactNode {
  if (is_erased)
    return (
      <EmptyState title="This person's data was deleted">
        Deletion was requested, and cannot be undone. Charges and outcomes are kept.
      </EmptyState>
    );
  if (fields.length === 0)
    return (
      <EmptyState title="No fields shown">The seller decides which fields you see.</EmptyState>
    );
  return (
    <Facts
      facts={fields.map(({ name, label, value }) => [label, <Value name={name} value={value} />])}
    />
  );
}

/** A phone or an email is a link that calls or writes. */
function Value({ name, value }: { name: string; value: unknown }): ReactNode {
  const text = String(value);
  const written = <Written>{text}</Written>;
  if (name === 'phone') return <a href={`tel:${text}`}>{written}</a>;
  if (name === 'email') return <a href={`mailto:${text}`}>{written}</a>;
  return written;
}

/** The outcome that the buyer reported. */
function ReportedOutcome({ sale }: { sale: SaleDetail }): ReactNode {
  const { outcome_at, conversion_revenue, lead_value, note } = sale;
  if ([outcome_at, conversion_revenue, lead_value, note].every((value) => value === null))
    return <p className="muted">No outcome reported yet.</p>;
  return (
    <Facts
      facts={[
        ['Outcome', <OutcomeName of={sale.outcome} />],
        ['Reported', <Time at={outcome_at} />],
        ['Conversion revenue', <Money amount={conversion_revenue} />],
        ['Deal value', <Money amount={lead_value} />],
        ['Note', note === null ? '–' : <Written key="note">{note}</Written>],
      ]}
    />
  );
}

/** One request to return a lead, and its result. */
function ReturnCard({ of }: { of: SaleReturn }): ReactNode {
  const { resolution_note: reply } = of;
  return (
    <article className="card">
      <Facts
        facts={[
          ['State', <ReturnStatus of={of.state} />],
          ['Reason', reasonName(of.reason)],
          ['Requested', <Time at={of.requested_at} />],
          ['Note', of.note !== null && <Written>{of.note}</Written>],
          [
            'Accepted automatically',
            of.state === 'requested' && of.auto_accept_at && <Time at={of.auto_accept_at} />,
          ],
          ['Decided', of.resolved_at && <Time at={of.resolved_at} />],
          ["Seller's note", reply !== null && <Written>{reply}</Written>],
        ]}
      />
    </article>
  );
}
