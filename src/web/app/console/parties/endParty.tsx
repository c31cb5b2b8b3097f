/** Takes a buyer or a supplier out of use. */
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import { Confirmed, Section } from '../../ui/index.js';
import { counted, type BuyerTabProps, type SupplierTabProps } from './words.js';

/** Its page then offers to bring it back. */
export function ArchiveBuyer({ buyer }: BuyerTabProps): ReactNode {
  const archive = useWrite('archive_buyer');
  const may = useCan('archive_buyer');
  if (!may || buyer.archived_at !== null) return null;
  return (
    <Section title="Archive">
      <p>An archived buyer gets no leads and is left out of lists. It can be brought back.</p>
      <div className="actions">
        <Confirmed
          button="Archive this buyer"
          title="Archive this buyer?"
          act="Archive"
          write={archive}
          run={() => archive.run({ buyer_id: buyer.id })}
          describe={() => `${buyer.name} is archived.`}
        >
          <p>
            <bdi>{buyer.name}</bdi> gets no more leads in{' '}
            {counted(buyer.campaigns.length, 'campaign')}. What was sold to it stays.
          </p>
        </Confirmed>
      </div>
    </Section>
  );
}

/** It is gone afterwards; its leads stay. */
export function DeleteSupplier({ supplier }: SupplierTabProps): ReactNode {
  const remove = useWrite('delete_supplier');
  const may = useCan('delete_supplier');
  const [, go] = useLocation();
  if (!may) return null;
  const run = async () => {
    const done = await remove.run({ supplier_id: supplier.id });
    if (done) go('/suppliers');
    return done;
  };
  return (
    <Section title="Delete">
      <p>A deleted supplier cannot be brought back; pause it to refuse its leads for a while.</p>
      <div className="actions">
        <Confirmed
          button="Delete this supplier"
          kind="danger"
          title="Delete this supplier?"
          act="Delete"
          isDanger
          write={remove}
          run={run}
          describe={() => `${supplier.name} was deleted.`}
        >
          <p>
            The keys of <bdi>{supplier.name}</bdi> are refused at once, and it is removed from{' '}
            {counted(supplier.campaigns.length, 'campaign')}. Its leads stay.
          </p>
        </Confirmed>
      </div>
    </Section>
  );
}
