import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { Chip, EmptyState, Facts, Money, Section, Time, Written } from '../../ui/index.js';
import { OutcomeForm } from './outcomeForm.js';
import { shown } from './person.js';
import { RequestReturn, ReturnCard } from './returns.js';
import { OutcomeChip, type Lead, type Return, type Sale } from './words.js';

/** Each sale with its money, its outcome and its returns. */
export function Sales({ lead }: { lead: Lead }): ReactNode {
  const may = useCan('list_returns');
  const returns = useCall('list_returns', { lead_id: lead.id, limit: 50 }, { isOff: !may });
  if (lead.sales.length === 0)
    return <EmptyState title="It was not sold">The timeline says why.</EmptyState>;
  return lead.sales.map((sale) => (
    <SaleSection
      key={sale.buyer_id}
      lead={lead}
      sale={sale}
      returns={(returns.data ?? []).filter(({ buyer_id }) => buyer_id === sale.buyer_id)}
    />
  ));
}

interface SaleProps {
  lead: Lead;
  sale: Sale;
  returns: readonly Return[];
}

function SaleSection({ lead, sale, returns }: SaleProps): ReactNode {
  const mayRecord = useCan('record_outcome');
  const name = sale.buyer_name ?? 'A deleted buyer';
  const note = shown(sale.note);
  const isReturned = sale.returned_at !== null;
  return (
    <Section title={name} actions={isReturned && <Chip tone="warning">Returned</Chip>}>
      <div className="lead-ends">
        <div className="card">
          <h3>Money</h3>
          <SaleMoney sale={sale} />
        </div>
        <div className="card">
          <h3>Outcome</h3>
          {mayRecord ? (
            <OutcomeForm key={formKey(sale)} lead={lead} sale={sale} />
          ) : (
            <Facts
              facts={[
                ['Outcome', sale.outcome ? <OutcomeChip of={sale.outcome} /> : 'None yet'],
                ['Reported', sale.outcome_at !== null && <Time at={sale.outcome_at} />],
                ['Deal value', sale.lead_value !== null && <Money amount={sale.lead_value} />],
                ['Note', note !== null && <Written>{note}</Written>],
              ]}
            />
          )}
        </div>
      </div>
      {returns.map((one) => (
        <ReturnCard key={one.id} of={one} />
      ))}
      {!isReturned && !returns.some(({ state }) => state === 'requested') && (
        <RequestReturn lead={lead} sale={sale} />
      )}
    </Section>
  );
}

/** What another person stores meanwhile is shown, and what is stored is what the form begins with. */
const formKey = ({ outcome, conversion_revenue, lead_value, note, buyer_id }: Sale): string =>
  JSON.stringify([buyer_id, outcome, conversion_revenue, lead_value, note]);

function SaleMoney({ sale }: { sale: Sale }): ReactNode {
  return (
    <Facts
      facts={[
        ['Sold', <Time at={sale.at} />],
        ['Price', <Money amount={sale.price} />],
        ['Charged now', <Money amount={sale.revenue} />],
        ['Adjustment', sale.revenue !== sale.price && <Money amount={sale.revenue - sale.price} />],
        ['Cost', <Money amount={sale.cost} />],
        ['Margin', <Money amount={sale.revenue - sale.cost} />],
        [
          'Conversion price',
          sale.conversion_price !== null && <Money amount={sale.conversion_price} />,
        ],
        ['Returned', sale.returned_at !== null && <Time at={sale.returned_at} />],
        ['Buyer', <Link href={`/buyers/${sale.buyer_id}`}>{sale.buyer_name ?? 'deleted'}</Link>],
      ]}
    />
  );
}
